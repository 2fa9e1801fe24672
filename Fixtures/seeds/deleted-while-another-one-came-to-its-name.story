# Seed 8147384: a file was deleted while calgw brought another item, whose name it had by then, back
# to the folder. The new agreement took the place of the old one before the deletion had gone out.
chance 8147385
traits C6.30 C6.10
policy merge
local-save meeting2 1
run
remote-save meeting2 4 words
local-recreate meeting2 8
run
  at any 72 local-delete meeting2 9
