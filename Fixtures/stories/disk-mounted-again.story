# Mounted again, both sides are recorded as they are.
chance 1
policy ask
both-save dentist 2
both-save gym 3
run
folder-unmount
run
folder-mount
run
expect dentist 2 2
expect gym 3 3
