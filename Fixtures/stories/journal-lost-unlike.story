# Without its journal unlike versions wait for a person.
chance 1
policy ask
both-save dentist 2
both-save gym 3
run
journal-lose
local-save dentist 6
run
expect dentist 6 2
expect gym 3 3
expect-conflict dentist
