# Seed 282025: A version that waits in a conflict is brought back over its own file, which is empty
# by now. The two sides never agreed on the item.
chance 282026
policy merge
both-save bank 4
local-save bank 5 start
run
local-truncate bank 18
restore bank 5
