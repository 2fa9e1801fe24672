# Seed 9536: a server cut a new text to what it had before. That was taken for a write that had not
# happened, and sent again by every run.
chance 9537
traits C6.42
policy merge
local-save weekly 1
run
local-save weekly 7 off
remote-save weekly 8 notes
run
local-save weekly 13 notes
