# Seed 524771: of a conflict a person made two items. The second one is what the server had, and
# never held what the server drops.
chance 524772
traits C6.10
policy merge
local-save choir 2
run
local-save choir 5 start
remote-save choir 6 start
run
resolve flight both
