# In a pair that pushes a person may take the version here.
chance 1
direction push
local-save dentist 2
run
local-save dentist 6
remote-save dentist 7
run
resolve dentist local
expect dentist 6 6
