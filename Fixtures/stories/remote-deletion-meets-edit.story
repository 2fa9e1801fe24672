# Under remote a deletion there comes here, over an edit, which is in the history. A deletion here
# does not take away what was edited there.
chance 1
policy remote
both-save dentist 2
both-save gym 3
both-save lunch 6
run
remote-delete dentist
local-save dentist 7
remote-save gym 10
local-delete gym
run
expect gym 10 10
expect lunch 6 6
