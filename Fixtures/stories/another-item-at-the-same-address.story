# The server has another item where this one was: that one comes, and this one is not taken for
# deleted, since nothing says so: it goes there again.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
remote-recreate dentist 6
run
expect dentist 2 2
expect dentist-6 6 6
expect gym 3 3
