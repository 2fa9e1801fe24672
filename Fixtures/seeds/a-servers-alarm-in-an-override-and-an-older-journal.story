# Seed 220019915: a server adds an alarm to a series, and to the override that a run sends it; an
# older journal, which knows of no override, is brought back then. Nobody gave the override an alarm.
chance 220019916
traits C6.12
policy merge
local-save weekly 2
run
journal-copy - 0
local-save weekly2 3 notes
remote-save weekly 12 off
local-save weekly 13 moved
remote-save odd 15 alarm
run
  at any 90 kill-after power 266576766855013
restore weekly 2
journal-restore - 0
