# Seed 375411: both sides edited an item, and it was deleted on a server that does not tell of it.
# The merge was in the folder before the server refused it, and the report did not count it.
chance 375412
traits C6.30
policy merge
local-save bank 1
remote-save dentist 2
local-save gym 3
local-save bank 9 notes
remote-save bank 10 place
run
  at any 54 interrupt - 0
remote-delete bank 11
run
