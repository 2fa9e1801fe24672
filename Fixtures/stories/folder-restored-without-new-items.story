# What came after the backup is missing in it: deleted by a person, within the guard.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
folder-backup
local-save lunch 6
run
folder-restore
run
expect dentist 2 2
expect gym 3 3
