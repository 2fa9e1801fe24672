# The same edit on both sides is recorded, and nothing is sent.
chance 1
policy ask
both-save dentist 2
run
both-save dentist 3
run
expect dentist 3 3
