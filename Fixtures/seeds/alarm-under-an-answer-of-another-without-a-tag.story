# Seed 1838510: The answer to a write of a new alarm was another request's, and the server gives no tag for
# what it stores: it looks like one that keeps no alarms.
chance 1838511
traits C6.1
policy merge
both-save choir 1
local-save walk 2
local-overwrite choir 11 alarm
run
  at http.PUT 1 C4.19 sticky
