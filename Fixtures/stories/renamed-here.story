# A file may have any name: the UID says what it is.
chance 1
policy merge
both-save dentist 2
run
local-rename dentist 1
run
expect dentist 2 2
