# Seed 40518735: a server made an override a resource of its own, and somebody deleted that there
# and changed another occurrence. That change came to the folder, where the override stayed.
chance 40518736
traits C6.38
policy merge
both-save weekly 1
local-save weekly 4 once
run
remote-delete weekly 7
remote-save weekly 9 once
