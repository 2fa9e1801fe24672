# An edit on one side survives the deletion on the other, both ways.
chance 1
policy merge
both-save dentist 2
both-save gym 3
both-save lunch 6
run
local-save dentist 7
remote-delete dentist
local-delete gym
remote-save gym 10
run
expect dentist 7 7
expect gym 10 10
expect lunch 6 6
