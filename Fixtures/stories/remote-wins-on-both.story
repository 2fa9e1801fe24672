# Under remote the version there holds as a whole, though the one here was edited later.
chance 1
policy remote
both-save dentist 2
both-save gym 3
run
remote-save dentist 7 title
wait 60000
local-save dentist 6 place
local-save gym 10 title
run
expect dentist 7 7
expect gym 10 10
