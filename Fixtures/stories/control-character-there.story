# What XML cannot carry is named, and the other items are read.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
remote-control dentist 6
remote-save gym 7
run
expect dentist 2 6
expect gym 7 7
expect-problem broken-remote
