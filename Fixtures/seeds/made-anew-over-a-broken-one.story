# Seed 4853508: an item that could not be read was deleted and made anew on a server whose tags count
# an item's writes. It had its old tag, so it was not looked at, and the folder's went up beside it.
chance 4853509
traits C6.53
policy merge
remote-break task 5
run
local-save task 8 words
remote-delete task 10
remote-save task 12 progress
run
  at journal.agree 2 kill
