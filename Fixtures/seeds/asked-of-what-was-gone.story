# Seed 1424001: a person was asked about a deletion that an older journal knew nothing of.
chance 1424002
traits C6.30 questions
policy merge
remote-save meeting 2
run
journal-copy - 0
local-delete meeting 7
run
journal-restore - 0
run
