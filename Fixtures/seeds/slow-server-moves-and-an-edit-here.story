# Seed 33286159: an item was moved on a server that shows changes three seconds late, and edited
# here in the moment in which it shows at neither address: the two meet as a conflict.
chance 33286160
traits C6.21
policy merge
local-save meeting 2
run
remote-move meeting 7
run
run
  at any 34 local-save meeting 13
