# Seed 6460780: calgw was killed when its upload had arrived, and had no answer to it. Before the next
# run somebody moved the item to another address there, and edited it here: what is at the new
# address is anybody's item, and both have another title. A person decides.
chance 6460781
policy merge
local-save walk 5
run
  at http.PUT 1 kill-after
local-save walk 11
remote-move walk 15
