# Seed 1551321: As restored-then-forgotten-then-saved-over, with an older journal.
chance 1551322
policy merge
remote-save weekly2 1
run
journal-copy - 0
local-recreate weekly2 2
run
restore weekly2 2
journal-restore - 0
local-save weekly2 3 off
remote-save weekly2 4 alarm
