# Seed 32815565: a file got its name in another case and is half saved, and its item was edited on
# a server that drops extensions: that version comes beside it, and both are named once the file
# is whole.
chance 32815566
traits C6.10
policy merge
both-save choir 1
run
local-overwrite choir 5
run
remote-save choir 7 title
local-recase choir 8
local-truncate choir 16
run
