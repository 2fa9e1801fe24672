# Two titles: the one that was given last holds, and the other is in the history.
chance 1
policy merge
both-save dentist 2
run
local-save dentist 6 title
wait 60000
remote-save dentist 7 title
run
expect dentist 7 7
