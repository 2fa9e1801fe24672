# Both sides moved it, to unlike times: a person decides, and the others go on.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
local-save dentist 6 start
remote-save dentist 7 start
local-save gym 10 title
run
expect dentist 2 2
expect gym 10 10
expect-conflict dentist
