# Seed 1037109: the same for a new item: it is ours by its name, and named as long as nobody can read
# it.
chance 1037110
policy merge
remote-save bank 3 place
run
local-delete bank 5
run
restore bank 1
  at any 63 remote-control bank 6
