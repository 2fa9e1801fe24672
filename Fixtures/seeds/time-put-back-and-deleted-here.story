# Seed 130802371: an event was moved and moved back on a server that stamps what it stores; it was
# deleted here. A stamp is no edit, and the account took it for one.
chance 130802372
traits C6.11
policy merge
local-save weekly 1
run
both-save weekly 4 start
remote-save weekly 10 start
local-delete weekly 15
