# Seed 32519536: on a server that shows changes three seconds late, an item was deleted and made
# anew: within one run it leaves the folder and comes back, and both are counted.
chance 32519537
traits C6.21 questions
policy merge
local-save meeting2 2
both-save bank 3
run
remote-save meeting2 4 notes
remote-delete bank 5 alarm
remote-save bank 7 notes
run
