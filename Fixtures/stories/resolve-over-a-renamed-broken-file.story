# A conflict waited, and its file here was renamed and cut off since: the version there takes its
# place.
chance 1
policy ask
both-save dentist 2
both-save gym 3
run
local-save dentist 6 title
remote-save dentist 7 title
run
local-rename dentist 1
local-break dentist 8
resolve dentist remote
expect dentist 7 7
expect gym 3 3
