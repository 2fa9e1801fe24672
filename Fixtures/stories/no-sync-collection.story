# Without sync-collection the tags of a whole listing are compared.
chance 1
traits C6.24
policy merge
both-save dentist 2
both-save gym 3
both-save lunch 6
run
remote-delete gym
local-save dentist 7
run
expect dentist 7 7
expect lunch 6 6
