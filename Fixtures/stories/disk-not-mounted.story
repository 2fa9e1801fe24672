# The empty folder below a mount point is another one: nothing is deleted on the server.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
folder-unmount
run
expect dentist 2 2
expect gym 3 3
