# The clock decides nothing but which edit is newer.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
clock-step - -31536000000
local-save dentist 6
remote-delete gym
run
expect dentist 6 6
