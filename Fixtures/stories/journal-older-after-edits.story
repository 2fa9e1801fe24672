# An older journal is brought back after edits went both ways: both sides agree already.
chance 1
policy ask
both-save dentist 2
both-save gym 3
run
journal-copy
local-save dentist 6
remote-save gym 7
run
journal-restore
run
expect dentist 6 6
expect gym 7 7
