# The server stores a new item under a name of its own.
chance 1
traits C6.14
policy merge
local-save dentist 2
run
expect dentist 2 2
