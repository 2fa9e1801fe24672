# Under newest, too, an edit survives the deletion on the other side, however late that came.
chance 1
policy newest
both-save dentist 2
both-save gym 3
both-save lunch 6
run
local-save dentist 7
remote-save gym 10
wait 60000
remote-delete dentist
local-delete gym
run
expect dentist 7 7
expect gym 10 10
expect lunch 6 6
