# Two times cannot be merged: it waits on, as it is.
chance 1
both-save dentist 2
run
local-save dentist 6 start
remote-save dentist 7 start
run
resolve dentist merged
expect dentist 2 2
expect-conflict dentist
