# Seed 206228861: a calendar was made anew, its count was that of the former one, and a report of
# changes since that told nothing of what came there: a comparison brings it, a day later at most
# (docs/reliability.md).
chance 206228862
traits C6.58
policy merge
local-save task 1
local-save weekly2 2
both-save flight 3
run
local-overwrite weekly2 4
remote-save task 6 place
wait 90000000
local-overwrite task 7 notes
remote-save task 8 place
remote-delete task 9
run
calendar-remake - 0
remote-save task 10
remote-save flight 11
remote-save flight 12
remote-save lunch 13
remote-save flight 14
remote-save weekly2 16
remote-save task 17
remote-save task 18
local-save flight 19
