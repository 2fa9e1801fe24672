# Seed 126172: a new item was deleted there while it was read, and calgw killed. What the next
# listing said was gone was asked for once more, and named as a problem for a day.
chance 126173
traits C6.36
policy merge
remote-save meeting2 1
local-save bank 2
run
local-save bank 3 words
remote-break bank 6
run
  at http.REPORT 2 remote-delete bank 7
  at any 49 kill-after power 261227455533550
