# A new title here and a new place there: both are on both sides.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
local-save dentist 6 title
remote-save dentist 7 place
run
expect dentist 6 6
expect gym 3 3
