# Seed 80493427: calgw is killed before it carries out a deletion, and the item has another address
# on the server by the next run: it comes back from there.
chance 80493428
policy local
local-save weekly 1
run
local-delete weekly 2 place
local-save task 3 title
remote-save task 4 words
run
  at effect 10 kill-after
remote-move weekly 9
