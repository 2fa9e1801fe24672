# Seed 151073236: an item was edited on a server of weak entity tags, in the moment between calgw's
# look and its write of a touch. The edit is written over (docs/reliability.md).
chance 151073237
traits C6.2
policy merge
both-save odd 3
run
local-touch odd 4
run
  at effect 6 remote-save odd 5
