# Seed 1488547: the server made an override a resource of its own, and replaced that one itself when
# the series came again: calgw had not read it, and nothing it sends names it.
chance 1488548
traits C6.30 C6.38
policy merge
local-save weekly 1
local-overwrite weekly 8 once
run
local-overwrite weekly 12 moved
run
