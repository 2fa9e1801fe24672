# Seed 8981043: a server shows changes minutes late, and a write got the answer to another one: what
# it would have brought stays here (docs/reliability.md).
chance 8981044
traits C6.22
policy merge
both-save odd 2
run
local-save odd 3 alarm
remote-save odd 4 place
run
  at effect 8 remote-delete odd 8 words
  at http.PUT 1 C4.19 sticky
