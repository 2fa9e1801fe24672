# An occurrence is cancelled here and edited there: the edit survives.
chance 1
policy merge
both-save weekly 2
run
local-save weekly 6 off
remote-save weekly 9 once
run
expect weekly 2 2
