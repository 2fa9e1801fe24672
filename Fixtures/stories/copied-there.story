# Two resources of one UID on the server: all are left alone.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
remote-copy dentist 1
local-save dentist 6
local-save gym 7
run
expect dentist 6 x2
expect gym 7 7
expect-problem duplicate-uid
expect-problem duplicate-uid
