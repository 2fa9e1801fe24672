# Two files of one UID: both are left alone, and so is the item there.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
local-copy dentist 1
remote-save dentist 6
local-save gym 7
run
expect dentist x2 6
expect gym 7 7
expect-problem duplicate-uid
expect-problem duplicate-uid
