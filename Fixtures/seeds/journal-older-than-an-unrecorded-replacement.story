# Seed 84961: calgw was killed between the exchange and its record, and an older journal was brought
# back. What had been replaced was known to its history as the outcome of a write alone, and was
# thrown away.
chance 84962
policy merge
remote-save bank 9
remote-save meeting 12
run
local-save bank 18 notes
run
remote-save weekly2 27 off
local-overwrite meeting 28 start
remote-save bank 29
journal-copy flight 32
run
  at effect 14 remote-save weekly2 33 place
  at effect 33 kill
journal-restore meeting 48
