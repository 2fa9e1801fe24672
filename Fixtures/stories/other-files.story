# Swap files and backups of editors are no items.
chance 1
policy merge
both-save dentist 2
run
local-leftovers dentist
local-save dentist 3
run
expect dentist 3 3
