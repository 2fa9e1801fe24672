# A pair that pushes: an edit and a deletion here go there; an edit there waits for a run that may
# write here, and what was edited here goes up again where it was deleted there.
chance 1
direction push
local-save dentist 2
local-save gym 3
local-save lunch 6
local-save walk 7
run
local-save dentist 10
remote-save gym 11
local-delete lunch
local-save walk 14
remote-delete walk
run
expect dentist 10 10
expect gym 3 11
expect walk 14 14
