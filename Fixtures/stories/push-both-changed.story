# A pair that pushes settles nothing that both sides changed, whatever the policy.
chance 1
policy local
direction push
local-save dentist 2
local-save gym 3
run
local-save dentist 6
remote-save dentist 7
local-save gym 10
run
expect dentist 6 7
expect gym 10 10
expect-conflict dentist
