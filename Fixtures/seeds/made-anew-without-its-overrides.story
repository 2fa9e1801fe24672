# Seed 81993654: the server makes overrides resources of their own; a series that is deleted there
# and made anew lacks them, which is a change of its schedule beside an edit here.
chance 81993655
traits C6.38
policy merge
local-save weekly 7 title
remote-save weekly 8 title
local-save weekly 9 once
run
remote-delete weekly 11
local-save weekly 13 words
remote-save weekly 15 start
