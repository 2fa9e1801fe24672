# Seed 1058646: an item was made anew under its former tag on a server that names its first changes
# again and again: nothing shows it.
chance 1058647
traits C6.27 C6.53
policy merge
local-save weekly 1
both-save weekly2 2
run
local-save flight 3
run
remote-save flight 5
remote-save weekly 6
remote-save flight 8 alarm
folder-restore weekly 11
remote-delete weekly2 13
remote-save weekly2 14 words
