# Seed 1643414: The journal was lost, and a server that shows what it has some seconds late, and
# takes an item away from its place when its UID is stored at another one, had an item that it did
# not show yet. No client can know that.
chance 1643415
traits C6.34 C6.54
policy merge
local-save weekly 11 start
remote-save weekly 12 start
journal-lose weekly 13
run
