# Seed 8322858: the server stored an edit and said for the rest of the run that the item is gone. By
# the next run it had been edited here, and the policy is that the other side wins
# (docs/reliability.md).
chance 8322859
traits C6.44
policy remote
local-save odd 8
run
local-overwrite odd 13
run
  at http.GET 1 C5.17 sticky
local-save odd 27 alarm
