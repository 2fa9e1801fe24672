# Seed 1712811: A first sync was killed before its record, and a meeting made then: no journal was lost.
chance 1712812
policy merge
remote-save bank 10 alarm
run
  at journal.close 1 kill power 249414969679464
local-save meeting2 16 notes
run
