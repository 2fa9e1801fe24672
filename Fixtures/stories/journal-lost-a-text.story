# What is to be replaced is read again where the journal lost its text.
chance 1
policy merge
both-save dentist 2
run
journal-blank
local-save dentist 3
run
expect dentist 3 3
