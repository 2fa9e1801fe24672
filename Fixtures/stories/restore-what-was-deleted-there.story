# What was deleted there, and so here, is brought back: to the folder and to the server.
chance 1
both-save dentist 2
both-save gym 3
run
remote-delete dentist
run
restore dentist 0
expect dentist 2 2
expect gym 3 3
