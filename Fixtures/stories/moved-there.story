# The same item at another address on the server is the same item.
chance 1
policy merge
both-save dentist 2
run
remote-move dentist 1
run
expect dentist 2 2
