# A listing in pages of two.
chance 1
traits C6.29
policy merge
remote-save dentist 2
remote-save gym 3
remote-save lunch 6
remote-save walk 7
remote-save bank 10
run
expect bank 10 10
expect dentist 2 2
expect gym 3 3
expect lunch 6 6
expect walk 7 7
