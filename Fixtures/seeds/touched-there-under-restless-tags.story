# Seed 204193426: where each look gives another entity tag, a program's touch in the moment before a write
# cannot be told from a text that the server makes anew (docs/reliability.md).
chance 204193427
traits C6.30 C6.6
policy local
remote-save meeting2 1
run
local-save meeting2 5 place
remote-save meeting2 6 place
run
  at effect 8 remote-touch meeting2 7
