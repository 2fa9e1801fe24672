# Seed 882845: somebody edits an item there just after our write of it, for which the server gives
# no entity tag. That edit counts as the server's own, and stays there when a version is restored.
chance 882846
traits C6.1
policy merge
remote-save flight 1
remote-save choir 2
remote-save walk 3
run
local-save flight 6 start
local-save choir 7 notes
run
  at effect 6 remote-save choir 8
restore choir 2
