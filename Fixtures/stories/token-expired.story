# A token that the server forgot costs a whole listing, and no deletion is missed.
chance 1
traits C6.25
policy merge
both-save dentist 2
both-save gym 3
both-save lunch 6
run
remote-save dentist 7
remote-delete gym
remote-save walk 10
run
expect dentist 7 7
expect lunch 6 6
expect walk 10 10
