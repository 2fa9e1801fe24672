# A conflict waited, and a person takes the version here.
chance 1
policy ask
both-save dentist 2
both-save gym 3
run
local-save dentist 6 title
remote-save dentist 7 place
run
resolve dentist local
expect dentist 6 6
expect gym 3 3
