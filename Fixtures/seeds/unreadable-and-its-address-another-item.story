# Seed 291755: an item's address became another item while its file could not be read. The other one
# came to the folder, the journal forgot the first one, and that went up again.
chance 291756
policy merge
remote-save meeting2 1
both-save bank 2
run
remote-recreate meeting2 4
run
  at files.read 3 C2.4 sticky
