# Seed 160125611: a conflict on a server whose tags change with each look and whose calendar tag never
# does. It is read again in each run, and stands in the history once.
chance 160125612
traits C6.6 C6.30
policy merge
local-save choir 1
local-save walk 2
remote-save choir 4 start
local-save choir 5
