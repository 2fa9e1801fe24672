# Seed 151010966: an item was deleted on a server that ignores guards, in the moment between calgw's
# look and its write of a touch. It comes back (docs/reliability.md).
chance 151010967
traits C6.32
policy merge
both-save choir 1
run
remote-save meeting2 9 place
local-touch choir 13
run
  at effect 14 kill-after
  at effect 3 remote-delete choir 14
