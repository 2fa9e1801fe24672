# Seed 95321668: an upload that was not recorded (the disk was full), moved on the server before the
# next run and edited here, looks like somebody else's item of its UID.
chance 95321669
policy ask
both-save meeting2 2
run
local-save meeting2 6 alarm
run
  at journal.close 1 C3.3
local-save meeting2 9
remote-move meeting2 14
