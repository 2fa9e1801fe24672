# A pair that pulls: an edit and a deletion there come here; an edit here waits for a run that may
# write there, and what was edited there comes again where it was deleted here.
chance 1
direction pull
remote-save dentist 2
remote-save gym 3
remote-save lunch 6
remote-save walk 7
run
remote-save dentist 10
local-save gym 11
remote-delete lunch
remote-save walk 14
local-delete walk
run
expect dentist 10 10
expect gym 11 3
expect walk 14 14
