# Seed 980: the journal lost the text of the version that an edit replaces. It was replaced on the
# server all the same, and could not be had back.
chance 981
policy merge
local-save dentist 1
run
local-overwrite dentist 4
journal-blank dentist 6
