# The rule changed here, and an occurrence there: a person decides.
chance 1
policy merge
both-save weekly 2
run
local-save weekly 6 rule
remote-save weekly 9 moved
run
expect weekly 2 2
expect-conflict weekly
