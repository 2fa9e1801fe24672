# Seed 290902: somebody saved another item over a file in the very moment in which it was deleted.
# It stood aside until it was looked at, and then was back.
chance 290903
policy merge
remote-save bank 3 start
run
remote-delete bank 6 start
run
  at effect 4 local-recreate bank 7
