# Seed 216070552: on a server that lists no entity tags, the write of a merge with a new alarm was
# answered as another request, and never came: the server passes for one that keeps no alarms
# (docs/reliability.md).
chance 216070553
traits C6.8
policy merge
local-save task 3
both-save weekly 4
local-save weekly 19 alarm
local-save odd 20
run
  at http.PUT 1 C4.19 sticky
