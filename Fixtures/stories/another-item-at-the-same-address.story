# The server has another item where this one was: that one comes, and this one is gone there, as the
# look at its address proves. It is in the history.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
remote-recreate dentist 6
run
expect dentist-6 6 6
expect gym 3 3
