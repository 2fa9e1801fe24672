# Seed 1025567, under merge: a version was brought back, and an older journal knew nothing of that. What
# the server had made of it is all that its history has.
chance 1025568
traits C6.11
policy merge
remote-save gym 2
run
journal-copy - 0
local-save gym 6
run
restore gym 1
journal-restore - 0
local-save gym 15
