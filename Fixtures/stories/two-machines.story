# Two machines with calgw share a calendar.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
other-sync
other-save dentist 6
other-delete gym
other-sync
run
expect dentist 6 6
