# The server's entity tags count the writes of an item. One that was deleted and made again at its
# address has its old tag, and is news all the same, since the server names it as changed.
chance 1
traits C6.53
policy merge
remote-save dentist 2
remote-save gym 3
run
remote-delete dentist
remote-save dentist 4
run
expect dentist 4 4
expect gym 3 3
