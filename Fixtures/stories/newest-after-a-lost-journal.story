# Without its journal calgw has two versions and no base: under newest the later one holds.
chance 1
policy newest
both-save dentist 2
both-save gym 3
run
journal-lose
remote-save dentist 7 title
wait 60000
local-save dentist 6 title
run
expect dentist 6 6
expect gym 3 3
