# Two people say how far a task is: the later word holds.
chance 1
both-save task 2
run
remote-save task 77 progress
wait 60000
local-save task 42 progress
run
expect task 2 2
expect-text task PERCENT-COMPLETE:42
