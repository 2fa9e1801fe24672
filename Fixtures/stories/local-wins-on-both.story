# Under local the version here holds as a whole, though the one there was edited later.
chance 1
policy local
both-save dentist 2
both-save gym 3
run
local-save dentist 6 title
wait 60000
remote-save dentist 7 place
remote-save gym 10 title
run
expect dentist 6 6
expect gym 10 10
