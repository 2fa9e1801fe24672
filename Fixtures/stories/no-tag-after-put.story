# A server that gives no entity tag after PUT is read back.
chance 1
traits C6.1 C6.9
policy merge
both-save dentist 2
run
local-save dentist 3
run
expect dentist 3 3
