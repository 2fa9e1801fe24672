# In a pair that pulls a person may take the version there; the one here is in the history.
chance 1
direction pull
remote-save dentist 2
run
local-save dentist 6
remote-save dentist 7
run
resolve dentist remote
expect dentist 7 7
