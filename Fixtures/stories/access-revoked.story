# Without access nothing is done.
chance 1
policy merge
both-save dentist 2
run
access-revoke
local-save dentist 3
run
expect dentist 3 2
expect-failure denied
