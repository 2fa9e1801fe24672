# Seed 187546: a file became another item, and the deletion of the old one was not answered. The new
# item went up all the same, the journal forgot the old one, and that came back.
chance 187547
policy merge
both-save bank 2
run
local-recreate bank 4
run
  at http.DELETE 1 C4.12
