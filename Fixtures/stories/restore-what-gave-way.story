# Of two titles the later one held. The other one is brought back from the history.
chance 1
both-save dentist 2
run
local-save dentist 6 title
wait 60000
remote-save dentist 7 title
run
restore dentist 0
expect dentist 6 6
