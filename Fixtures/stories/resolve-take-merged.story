# A conflict waited, and a person takes what both changed: the title from here and the place from
# there.
chance 1
policy ask
both-save dentist 2
both-save gym 3
run
local-save dentist 6 title
remote-save dentist 7 place
run
resolve dentist merged
expect dentist 6 6
expect gym 3 3
expect-text dentist LOCATION:room 7
