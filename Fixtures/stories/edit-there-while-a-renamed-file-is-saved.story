# A program moves the old file away and writes a new one. A listing in between misses it: that is no
# deletion, and what was edited there gets no second file beside it.
chance 1
policy merge
both-save dentist 2
run
local-rename dentist 1
run
remote-save dentist 6 title
local-hide dentist 1
run
expect dentist 6 6
