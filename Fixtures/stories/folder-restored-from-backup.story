# A backup of the folder counts as edits of a person: they go up, and the history has the rest.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
folder-backup
local-save dentist 6
run
folder-restore
run
expect dentist 2 2
expect gym 3 3
