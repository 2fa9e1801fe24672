# Seed 4276219: somebody took an alarm away on the server with another edit, before a merge that has
# the alarm was sent; calgw was killed before that. It stays in the folder (docs/reliability.md).
chance 4276220
policy merge
both-save meeting 3
local-delete meeting 4 title
local-save gym 6 title
remote-save gym 7 start
local-save gym 8 notes
remote-save gym 9 alarm
run
  at any 52 both-save gym 10
  at effect 34 kill-after power 136234938829903
