# Seed 1320304: A deletion got the answer to another one, and did not happen. Nobody can know that,
# and what is restored before the next run looks there is a second item of its UID.
chance 1320305
policy merge
remote-save walk 1
remote-save meeting2 2
run
folder-restore meeting2 15
run
  at http.DELETE 2 C4.19
restore meeting2 1
