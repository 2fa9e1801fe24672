# Moved and edited on the server is an edit.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
remote-move dentist 1
remote-save dentist 6
run
expect dentist 6 6
expect gym 3 3
