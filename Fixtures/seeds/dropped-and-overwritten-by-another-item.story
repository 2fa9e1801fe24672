# Seed 32731275: a file was written over with another item, on a server that drops extensions: the
# first item comes back from there, as the server has it.
chance 32731276
traits C6.10 C6.22
policy merge
both-save bank 1
local-recreate bank 2
run
both-save bank 4 place
run
