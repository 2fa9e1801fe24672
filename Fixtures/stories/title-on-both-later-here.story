# Two titles: the one that was given last holds, wherever that was.
chance 1
policy merge
both-save dentist 2
run
remote-save dentist 7 title
wait 60000
local-save dentist 6 title
run
expect dentist 6 6
