# An older journal does not know an item that both sides have by now.
chance 1
policy ask
both-save gym 3
run
journal-copy
local-save dentist 2
run
journal-restore
run
expect dentist 2 2
expect gym 3 3
