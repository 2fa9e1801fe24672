# A symbolic link is never followed.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
local-link dentist
run
expect dentist - 2
expect gym 3 3
expect-problem not-a-file
