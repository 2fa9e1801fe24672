# Seed 130812736: calgw was killed while a write was on its way; there the item was deleted and made
# anew, broken, under the tag that the former one had. The write stays open until it can be read.
chance 130812737
traits C6.53
policy local
local-save task 1
run
local-save weekly2 3 rule
remote-save weekly2 4 title
local-overwrite task 5 place
run
  at effect 9 kill-after power 43914009783893
remote-delete weekly2 12
remote-break weekly2 17
