# Seed 140073339: a program touched an item on the server between the read and the write of a merge.
# What it touched is read before it goes.
chance 140073340
traits C6.30
policy merge
local-save flight 4 words
run
remote-save flight 5
local-save flight 6
run
  at effect 12 remote-touch flight 9
