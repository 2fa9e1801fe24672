# A deletion that the lost journal would have told of is undone, never done.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
journal-lose
local-delete dentist
run
expect dentist 2 2
expect gym 3 3
