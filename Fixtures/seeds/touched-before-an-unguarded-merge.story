# Seed 221372436: a program touched an item on the server between a merge and its write, on a server
# of weak entity tags. They guard nothing; but another one that stays tells that it is no text that
# the server makes anew at each look.
chance 221372437
traits C6.2
policy merge
remote-save odd 1
run
local-touch odd 5
run
  at journal.record 1 remote-save odd 4 place
  at effect 11 remote-touch odd 6
