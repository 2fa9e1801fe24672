# Seed 36104: both sides had added an alarm, each behind its own. When both were taken out here, one
# of them stayed on the server.
chance 36105
traits C6.11
policy merge
local-save weekly2 3
run
remote-save weekly2 4 alarm
local-save weekly2 5 alarm
run
local-delete weekly2 7 moved
local-save weekly2 10 once
