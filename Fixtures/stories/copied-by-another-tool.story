# A conflict copy of Syncthing has the UID of the file beside it: both are left alone, and named.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
local-conflict-copy dentist
local-save dentist 6
local-save gym 7
run
expect dentist x2 2
expect gym 7 7
expect-problem duplicate-uid
expect-problem duplicate-uid
