# Seed 1866675: An item was made anew under its address in the moment between the look at it and
# its deletion, on a server whose weak tags cannot guard that moment.
chance 1866676
traits C6.2
policy merge
local-save weekly 1
run
local-delete weekly 3 once
run
  at any 39 remote-recreate weekly 4
