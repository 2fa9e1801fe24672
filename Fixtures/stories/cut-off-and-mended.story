# Mended, it goes on.
chance 1
policy merge
both-save dentist 2
run
local-break dentist 6
run
local-save dentist 7
run
expect dentist 7 7
