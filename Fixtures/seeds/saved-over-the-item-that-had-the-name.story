# Seed 475616: a new file's name was taken by another item, which somebody then saved it over, and the
# program had been killed: the file counted as ours, and the other item, that was gone with it, came
# back without what the server does not keep.
chance 475617
traits C6.10
policy merge
remote-save meeting2 7 place
remote-save bank 10 start
local-recreate meeting2 11
run
  at effect 19 kill-after
both-save meeting2 15
