# Something that is no file at the name of an item is no deletion.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
local-directory dentist
run
expect dentist - 2
expect gym 3 3
expect-problem not-a-file
