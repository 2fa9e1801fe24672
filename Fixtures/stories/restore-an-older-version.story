# An edit that went up is taken back: the version before it is on both sides again.
chance 1
both-save dentist 2
both-save gym 3
run
local-save dentist 6
run
restore dentist 0
expect dentist 2 2
expect gym 3 3
