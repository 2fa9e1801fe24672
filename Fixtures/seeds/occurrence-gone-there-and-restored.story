# Seed 7177754: The server makes a resource of its own of each occurrence that differs. One was
# deleted there, and a version of the series from before was brought back: the occurrence is in the
# file, and not on the server.
chance 7177755
traits C6.38
policy merge
local-save weekly 1
local-overwrite weekly 7 moved
remote-save weekly 8 alarm
run
remote-delete weekly 12 off
restore weekly 2
