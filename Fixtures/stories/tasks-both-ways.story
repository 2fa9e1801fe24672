# Tasks travel like events.
chance 1
local-save task 2
remote-save task2 3
both-save task3 6
run
local-save task 7 title
remote-save task2 10 title
local-delete task3
run
expect task 7 7
expect task2 10 10
