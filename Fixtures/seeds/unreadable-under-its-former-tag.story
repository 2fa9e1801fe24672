# Seed 84136080: an item is made anew under its former tag and cannot be read: it is named, and
# asked for again in each run.
chance 84136081
traits C6.27 C6.53
policy merge
remote-save dentist 3
run
local-delete dentist 7
remote-save bank 8
remote-save meeting2 9 start
remote-delete dentist 14 notes
remote-control dentist 24
