# Seed 800072: a server made the override of a series a resource of its own, another item took that
# address, and the model server wrote the next override over it.
chance 800073
traits C6.38
policy merge
local-save weekly 2 alarm
remote-save weekly 3 notes
local-save weekly 4 moved
run
remote-recreate weekly 8
local-save weekly 10 once
