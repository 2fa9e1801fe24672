# Seed 209021369: a calendar was made anew under the count of the former one, and what it told
# since did not show that; a write that it refused did. A dry run does not get so far
# (docs/reliability.md).
chance 209021370
traits C6.58
policy merge
local-save weekly 1
local-save weekly2 2
run
local-delete weekly 3
run
calendar-remake - 0
remote-save weekly2 4
remote-save weekly2 5
remote-save lunch 6
remote-save lunch 7
local-save weekly2 8
run
