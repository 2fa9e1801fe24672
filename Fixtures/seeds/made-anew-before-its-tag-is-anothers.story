# Seed 70060726: a server whose tags count an item's writes refuses the token; no two items have
# one tag yet, so that what was made anew under the tag of the deleted one is not seen.
chance 70060727
traits C6.25 C6.53
policy merge
local-save task 1
remote-save weekly 2
run
both-save task 3
remote-delete weekly 4 notes
remote-recreate weekly 8
local-delete weekly 10 off
