# A pair that pushes: what is new here goes there, and nothing comes back.
chance 1
direction push
local-save dentist 2
remote-save gym 3
run
expect dentist 2 2
expect gym - 3
