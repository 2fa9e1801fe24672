# Two occurrences of a series are edited, one here and one there.
chance 1
policy merge
both-save weekly 2
run
local-save weekly 6 once
remote-save weekly 7 moved
run
expect weekly 2 2
