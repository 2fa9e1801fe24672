# Seed 445559: a file was broken, its item saved under another name, and an older version brought
# back. It went into the broken file, and the folder had the item twice.
chance 445560
policy merge
remote-save walk 1
run
local-recase walk 2
run
local-truncate walk 4
run
local-save walk 6 alarm
restore walk 3
