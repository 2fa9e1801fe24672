# Seed 76720370: a server that makes overrides resources of their own, and keeps no extensions;
# somebody deletes the series there, and the override is left.
chance 76720371
traits C6.10 C6.38
policy merge
local-save weekly2 2
run
  at journal.record 3 local-save weekly2 5 once
run
remote-delete weekly2 7 moved
