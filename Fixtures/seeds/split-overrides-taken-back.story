# Seed 32502888: a server made the overrides of a series resources of their own; each was taken
# back there, and two texts without any item are left, named by their addresses.
chance 32502889
traits C6.38
policy merge
local-save weekly2 3 title
local-save weekly2 4 moved
remote-save weekly2 5 once
local-save weekly2 6 moved
run
remote-save weekly2 13 off
remote-save weekly2 15 off
