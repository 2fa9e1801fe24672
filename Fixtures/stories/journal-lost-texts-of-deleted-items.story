# What is to be deleted is read again where the journal lost its text: the history keeps it.
chance 1
policy merge
both-save dentist 1
both-save gym 2
run
journal-blank
journal-blank
journal-blank
local-delete dentist 3
remote-delete gym 4
run
