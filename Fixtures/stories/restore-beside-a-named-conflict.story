# A conflict waited, and its file here was broken since: to bring back the version that was here does
# not write over the one there, and both wait as before.
chance 1
policy ask
both-save dentist 2
both-save gym 3
run
local-save dentist 6 title
remote-save dentist 7 title
run
local-break dentist 8
run
restore dentist 0
run
expect dentist 6 7
expect gym 3 3
expect-conflict dentist
