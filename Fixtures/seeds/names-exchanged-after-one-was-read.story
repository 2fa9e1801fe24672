# Seed 217072857: two files exchange their names after the first of them was read, so that it is read
# twice, and the other one, which another file's name has by now, never: it is not gone.
chance 217072858
policy merge
both-save flight 1
both-save choir 2
wait 60000
local-save meeting2 5 title
run
local-exchange meeting2 10
run
  at files.readContent 2 local-exchange flight 11
