# Seed 215523986: two files exchanged their names, one of the items was deleted on the server, and
# while a run took it away here it was saved on both sides anew: over the file of the other one,
# which was a person's doing.
chance 215523987
policy merge
remote-save choir 1
remote-save walk 2
run
remote-delete walk 5 title
local-exchange choir 6
run
  at effect 8 both-save walk 8 place
