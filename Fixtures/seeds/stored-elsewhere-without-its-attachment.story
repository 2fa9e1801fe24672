# Seed 72001377: a server stores a new item under a name of its own, without a word about that, and
# leaves its attachment out; then somebody deletes it there.
chance 72001378
traits C6.47 C6.14 C6.55
policy merge
local-save dentist 2
run
remote-delete dentist 7 alarm
