# A file that is cut off is left alone, and its item there stays.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
local-break dentist 6
remote-save gym 7
run
expect dentist broken 2
expect gym 7 7
expect-problem incomplete
