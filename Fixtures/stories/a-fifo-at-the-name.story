# A FIFO is never opened.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
local-fifo dentist
remote-save gym 6
run
expect dentist - 2
expect gym 6 6
expect-problem not-a-file
