# Both machines edit one item: the second one meets a conflict, and loses nothing.
chance 1
policy remote
both-save dentist 2
run
other-sync
other-save dentist 6
other-sync
local-save dentist 7
run
expect dentist 6 6
