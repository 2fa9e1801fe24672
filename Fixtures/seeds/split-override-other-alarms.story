# Seed 65094392: a server that makes overrides resources of their own; somebody deletes the one
# there, and both sides give the series another alarm. The alarms' order is no difference.
chance 65094393
traits C6.38
policy merge
local-save weekly2 1
remote-save weekly2 5 title
run
  at files.exchange 1 local-overwrite weekly2 8 once
remote-delete weekly2 10 once
local-overwrite weekly2 14 alarm
remote-save weekly2 15 alarm
