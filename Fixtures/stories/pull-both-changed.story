# A pair that pulls settles nothing that both sides changed, whatever the policy.
chance 1
policy remote
direction pull
remote-save dentist 2
remote-save gym 3
run
local-save dentist 6
remote-save dentist 7
remote-save gym 10
run
expect dentist 6 7
expect gym 10 10
expect-conflict dentist
