# A version control system writes every file anew: what is the same is no change.
chance 1
policy merge
both-save dentist 2
both-save gym 3
both-save lunch 6
run
local-checkout dentist 7
run
expect dentist 7 7
expect gym 3 3
expect lunch 6 6
