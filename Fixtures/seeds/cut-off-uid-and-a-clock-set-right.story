# Seed 540032: a server cut the UID of a new item off, and a clock that had gone a year slow was set
# right: the item was sent once more, and was there twice.
chance 540033
traits C6.42
policy merge
remote-save weekly2 12
clock-step - -31536000000
local-save weekly2 26 moved
remote-save weekly2 27 start
run
resolve choir both
