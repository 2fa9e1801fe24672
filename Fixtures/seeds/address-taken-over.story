# Seed 24570: another item took over the address of one. Its deletion was planned in every run, was
# never sure, and every run tried it five times.
chance 24571
policy merge
remote-save odd 4
local-save gym 6
run
  at effect 8 remote-recreate meeting 9
both-save meeting 10
local-save meeting 11
