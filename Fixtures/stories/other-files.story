# Swap files, backups and the copies of other tools are no items.
chance 1
policy merge
both-save dentist 2
run
local-leftovers dentist
local-conflict-copy dentist
local-save dentist 3
run
expect dentist 3 3
