# What the server drops stays here, also when somebody edits the item there.
chance 1
traits C6.10 C6.11
policy merge
local-save dentist 2
run
remote-save dentist 3
run
expect dentist 3 3
