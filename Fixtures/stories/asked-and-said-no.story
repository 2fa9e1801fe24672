# Each deletion is asked about, and somebody says no: what is still there stays, and is named; an
# edit needs no yes.
chance 1
confirm-delete no
both-save dentist 2
both-save gym 3
both-save lunch 6
run
local-delete dentist
remote-delete gym
local-save lunch 7
run
expect dentist - 2
expect gym 3 -
expect lunch 7 7
expect-problem mass-delete
expect-problem mass-delete
