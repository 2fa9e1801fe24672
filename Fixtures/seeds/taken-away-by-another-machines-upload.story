# Seed 141088220: a server that is late with what changed, and takes away what has the UID of a new
# item, took away a save that the other machine could not see (docs/reliability.md).
chance 141088221
traits C6.22 C6.34
policy merge
local-save weekly 6
other-save task 7
run
remote-save weekly 11 title
both-save task 12
other-sync weekly2 15
run
  at effect 14 both-save task 17 place
