# Each deletion is asked about, and somebody says yes: both go to the other side.
chance 1
confirm-delete yes
both-save dentist 2
both-save gym 3
both-save lunch 6
run
local-delete dentist
remote-delete gym
run
expect lunch 6 6
