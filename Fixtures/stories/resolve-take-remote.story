# A conflict waited, and a person takes the version there.
chance 1
policy ask
both-save dentist 2
both-save gym 3
run
local-save dentist 6 title
remote-save dentist 7 title
run
resolve dentist remote
expect dentist 7 7
expect gym 3 3
