# Weak tags guard nothing: it looks just before, and says so.
chance 1
traits C6.2
policy merge
both-save dentist 2
both-save gym 6
run
local-save dentist 3
remote-save gym 7
run
expect dentist 3 3
expect gym 7 7
