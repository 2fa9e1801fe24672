# Seed 182402: an occurrence was cancelled in the folder, and of its override on the server nothing
# but LAST-MODIFIED was new. The merge took it off the server and put it back into the folder.
chance 182403
traits C6.11
policy merge
remote-save weekly2 1
run
local-overwrite weekly2 3 once
run
both-save weekly2 5
local-overwrite weekly2 6 off
run
