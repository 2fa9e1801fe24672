# Under local a deletion here goes there, over an edit, which is in the history. A deletion there
# does not take away what was edited here.
chance 1
policy local
both-save dentist 2
both-save gym 3
both-save lunch 6
run
local-delete dentist
remote-save dentist 7
local-save gym 10
remote-delete gym
run
expect gym 10 10
expect lunch 6 6
