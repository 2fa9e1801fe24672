# Seed 804067: a server made the override of a series a resource of its own, and somebody deleted the
# series and not that: what is left there is another schedule.
chance 804068
traits C6.38
policy merge
local-save weekly2 4 title
local-overwrite weekly2 5 once
run
remote-delete weekly2 11 alarm
local-save weekly2 12 alarm
