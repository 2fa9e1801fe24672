# Seed 130537985: an item was edited there and deleted here, where another one got its file; calgw
# was killed once that one had gone up. Then the file got the first item again, made anew: nothing
# is left of what both sides shared of it, and it is a conflict (docs/reliability.md).
chance 130537986
policy merge
local-save walk 1
run
remote-save walk 3
local-recreate walk 4
run
  at effect 9 kill
remote-save walk 5
local-delete walk 6 alarm
local-save walk 7 alarm
