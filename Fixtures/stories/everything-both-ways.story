# A busy day, on a server that rewrites and pages.
chance 1
traits C6.9 C6.29
policy ask
both-save dentist 2
both-save gym 3
both-save lunch 6
both-save walk 7
both-save bank 10
both-save choir 11
run
local-save dentist 14
remote-save gym 15
local-delete lunch
remote-delete walk
local-save flight 18
remote-save school 19
local-save bank 22
remote-save bank 23
run
expect bank 22 23
expect choir 11 11
expect dentist 14 14
expect flight 18 18
expect gym 15 15
expect school 19 19
expect-conflict bank
