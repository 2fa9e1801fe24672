# Seed 267570: an item that was deleted there and made anew does not show yet: it is deleted here, and
# comes back within the run.
chance 267571
traits C6.54
policy merge
local-save flight 2
run
both-save weekly2 4
local-save flight 6
run
  at effect 8 kill power 55252068468666
remote-delete weekly2 8 once
remote-save weekly2 10 off
run
