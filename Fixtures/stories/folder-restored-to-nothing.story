# A backup from before the first sync has none of the items: to bring it back deletes nothing on the
# server until somebody says that it is meant.
chance 1
policy merge
folder-backup
both-save dentist 2
both-save gym 3
both-save lunch 6
run
folder-restore
run
expect dentist - 2
expect gym - 3
expect lunch - 6
expect-problem mass-delete
