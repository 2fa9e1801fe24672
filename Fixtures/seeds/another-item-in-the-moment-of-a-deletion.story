# Seed 5208403: a server that ignores If-Match had another item at the address by the time of a
# deletion (docs/reliability.md).
chance 5208404
traits C6.32
policy merge
both-save walk 2
both-save meeting2 3
local-save meeting2 6 words
local-delete walk 8
run
  at effect 8 local-save choir 10 alarm
local-delete walk 12 place
local-save meeting2 13 place
remote-save meeting2 14 place
run
  at any 68 remote-recreate walk 15
