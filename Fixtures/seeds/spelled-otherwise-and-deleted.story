# Seed 171345861: on a disk that takes names in two spellings for one, another item's file is deleted under
# the name that the disk does not show. Who deletes it gives it up.
chance 171345862
traits C2.30
policy merge
local-save choir 2 title
local-recase choir 4
local-recreate choir 7
run
  at any 3 local-delete choir 8
