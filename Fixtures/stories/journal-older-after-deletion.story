# An older journal knows an item that is gone from both sides: it is forgotten, not made again.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
journal-copy
local-delete dentist
run
journal-restore
run
expect gym 3 3
