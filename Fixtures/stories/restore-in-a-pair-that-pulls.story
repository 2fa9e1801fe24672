# In a pair that pulls, what is brought back stays here, and that is said.
chance 1
direction pull
remote-save dentist 2
run
remote-save dentist 6
run
restore dentist 0
expect dentist 2 6
expect-problem read-only
