# Seed 1870790: A file that was to be deleted was renamed after the run had been killed: the deletion
# counted as done, and the item went up again as a new one.
chance 1870791
policy merge
remote-save meeting2 1
run
remote-save meeting2 2
run
  at files.status 2 remote-recreate meeting2 3
  at journal.begin 1 kill-after
local-recase meeting2 4
