# Both sides edit an item of a server that drops extensions, adds an alarm, and gives weak tags.
chance 1
traits C6.2 C6.10 C6.12
policy merge
local-save dentist 2
run
wait 60000
local-save dentist 6 title
remote-save dentist 7 place
run
expect dentist 6 6
