# Seed 297695: a server cut the UID of a new item off, and its listings give no tags. Each run sent
# the item several times, and each time made one more of it there.
chance 297696
traits C6.42 C6.8
policy merge
local-save bank 2
local-overwrite bank 4 start
remote-save bank 6 start
run
resolve meeting2 both
