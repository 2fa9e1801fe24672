# A task is done to 42 percent here, and gets another title there: both are on both sides.
chance 1
both-save task 2
run
local-save task 42 progress
remote-save task 7 title
run
expect task 7 7
expect-text task PERCENT-COMPLETE:42
