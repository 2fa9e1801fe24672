# Seed 88456042: a server that moves what is stored under a UID once more took a broken version away
# for what calgw sent, in the run that named it.
chance 88456043
traits C6.24 C6.34
policy merge
local-save meeting2 6
local-save bank 12 words
remote-save bank 13 start
remote-control meeting2 14
run
