# Seed 1025567: a version was brought back, an older journal knew nothing of that, and under ask the
# time that the server had stamped on it was a conflict with the next edit.
chance 1025568
traits C6.11
policy ask
remote-save gym 2
run
journal-copy - 0
local-save gym 6
run
restore gym 1
journal-restore - 0
local-save gym 15
