# Seed 140180093: a person put an item with the UID of the folder over the one to which the server
# had given its own. The second of the two has left the server by that.
chance 140180094
traits C6.57
policy merge
local-save meeting 1
local-save odd 2
run
run
  at files.read 2 C2.10
both-save odd 5 notes
