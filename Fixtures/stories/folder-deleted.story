# A folder that is gone is an error and never a deletion.
chance 1
policy merge
both-save dentist 2
run
folder-delete
run
expect dentist - 2
expect-failure vanished
