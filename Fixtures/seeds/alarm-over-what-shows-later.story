# Seed 4681516: a server without guards that shows writes some seconds later. An edit here went over
# one there that did not show yet, and what showed then looked like what the server made of ours.
chance 4681517
traits C6.54 C6.32
policy merge
local-save weekly 1
remote-save weekly2 2
run
remote-save weekly2 4
local-save weekly2 5 alarm
run
local-save weekly2 12 once
remote-save weekly2 13 words
run
  at effect 15 kill
