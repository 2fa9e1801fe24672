# Without its journal two unlike versions waited, and a person takes the one here.
chance 1
policy ask
both-save dentist 2
both-save gym 3
run
journal-lose
local-save dentist 6
run
resolve dentist local
expect dentist 6 6
expect gym 3 3
