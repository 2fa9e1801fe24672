# A new item waits whose UID stands in what the server has and is no item: sent, it would be there
# twice.
chance 1
policy merge
both-save gym 2
run
remote-break dentist 3
local-save dentist 5
run
expect gym 2 2
expect dentist 5 broken
expect-problem incomplete
expect-problem refused
