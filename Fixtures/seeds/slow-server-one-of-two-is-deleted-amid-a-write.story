# Seed 30014843: a slow server does not show a new item yet, so that the folder's own goes up beside
# it. Who deletes that at once leaves the other one, which looks like what the server made of ours.
chance 30014844
traits C6.54
policy merge
both-save gym 1
both-save meeting 2
local-save gym 3 alarm
run
  at any 50 remote-delete gym 5
