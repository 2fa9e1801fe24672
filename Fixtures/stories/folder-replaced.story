# Another folder at the same path is another collection: equal items are recorded.
chance 1
policy ask
both-save dentist 2
both-save gym 3
run
folder-replace
run
expect dentist 2 2
expect gym 3 3
