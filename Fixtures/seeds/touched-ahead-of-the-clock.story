# Seed 140004462: a program touched an item here, with a time ahead of the clock, and it was edited
# twice on a server that keeps no attachments, the second time between the two writes of the merge.
# What the first of them brought here is no edit of the folder.
chance 140004463
traits C6.55
policy merge
both-save task 1
run
remote-save task 3
local-touch task 6
run
  at effect 23 kill
  at effect 12 remote-save task 7
