# A pair that pulls: what is new there comes here, and nothing goes up.
chance 1
direction pull
remote-save dentist 2
local-save gym 3
run
expect dentist 2 2
expect gym 3 -
