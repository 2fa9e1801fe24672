# Seed 503334: a server keeps overrides as resources of their own, and somebody deleted the series
# there. What was left, an override, was put into the file a second time.
chance 503335
traits C6.38
policy merge
local-save weekly2 1
local-save weekly2 4 moved
run
remote-delete weekly2 11 notes
