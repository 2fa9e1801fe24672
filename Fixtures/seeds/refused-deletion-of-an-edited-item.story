# Seed 92202861: the deletion of an edited item, whose place a new one has, was refused by a server
# that is read-only, and was sent again by each run.
chance 92202862
traits C6.36
policy local
both-save walk 1
run
remote-save walk 12 alarm
local-recreate walk 13
