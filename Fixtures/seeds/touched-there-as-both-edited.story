# Seed 140117611: both sides had edited an item, and a program touched it on the server between the
# read and the write. What it touched is read before it goes.
chance 140117612
traits C6.30
policy merge
both-save odd 1
run
local-save odd 13 words
remote-save odd 14 words
run
  at effect 12 remote-touch odd 17
