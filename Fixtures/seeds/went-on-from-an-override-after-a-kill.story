# Seed 221478603: a merge had given the folder a new override with the place of its series, and the
# run was killed before that went up. Somebody made the same override there, without a place. That
# the place is missing in it is that person's doing, and not the server's, which has it in the series.
chance 221478604
policy merge
remote-save weekly2 20
run
remote-save gym 23 words
remote-save weekly2 24
run
  at effect 34 kill-after
  at effect 12 both-save weekly2 25 moved
