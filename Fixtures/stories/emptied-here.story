# A folder that somebody emptied deletes nothing on the server.
chance 1
policy merge
both-save dentist 2
both-save gym 3
both-save lunch 6
run
local-delete dentist
local-delete gym
local-delete lunch
run
expect dentist - 2
expect gym - 3
expect lunch - 6
expect-problem mass-delete
