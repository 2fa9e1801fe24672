# Without its journal calgw has two versions and no base: under local the one here holds.
chance 1
policy local
both-save dentist 2
both-save gym 3
run
journal-lose
local-save dentist 6 title
wait 60000
remote-save dentist 7 title
run
expect dentist 6 6
expect gym 3 3
