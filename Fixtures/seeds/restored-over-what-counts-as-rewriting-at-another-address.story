# Seed 1769495: the same, after our write and before our look at it, on a server that chooses the
# address and does not say so.
chance 1769496
traits C6.15
policy local
remote-save meeting2 2
run
local-save walk 3 place
run
  at any 32 local-checkout meeting2 5
  at http.REPORT 1 C4.15 sticky
remote-save meeting2 9 place
run
  at any 52 remote-save meeting2 10
restore meeting2 4
