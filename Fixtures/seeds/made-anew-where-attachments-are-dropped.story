# Seed 38197855: a server that keeps no attachments. An item was deleted there while the folder's was
# saved without a change of its meaning, so it went here, too. Then it was made anew there, and its
# file has no attachment: the account took that for one that calgw had lost.
chance 38197856
traits C6.55
policy merge
both-save weekly 1
run
remote-delete weekly 8 rule
local-save weekly 10 start
run
remote-save weekly 13 start
