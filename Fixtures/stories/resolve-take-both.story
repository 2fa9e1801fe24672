# A conflict waited, and a person takes both: the version here stays, and the one there becomes a
# second item.
chance 1
policy ask
both-save dentist 2
both-save gym 3
run
local-save dentist 6 title
remote-save dentist 7 title
run
resolve dentist both
expect dentist 6 6
expect gym 3 3
expect second 7 7
