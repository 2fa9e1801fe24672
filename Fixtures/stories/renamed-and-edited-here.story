# Renamed and edited in one go is an edit.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
local-rename dentist 1
local-save dentist 6
run
expect dentist 6 6
expect gym 3 3
