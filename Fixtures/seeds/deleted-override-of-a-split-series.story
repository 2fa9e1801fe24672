# Seed 533916: a server keeps overrides as resources of their own, and somebody deleted such a one.
# What calgw takes for the item is as it was: the folder keeps the override (docs/reliability.md).
chance 533917
traits C6.38
policy merge
both-save weekly 4 place
local-save weekly 7 once
run
remote-delete weekly 13
