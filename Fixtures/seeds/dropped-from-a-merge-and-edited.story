# Seed 472598: a run was killed after it wrote a merge to the server, and somebody edited it there.
# What the server had dropped of it went out of the folder with the edit.
chance 472599
traits C6.10
policy merge
local-save bank 1
both-save dentist 2
local-save gym 3
local-save dentist 4 place
run
  at effect 10 kill-after power 171685792357369
remote-save dentist 5
