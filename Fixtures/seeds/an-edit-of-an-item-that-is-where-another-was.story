# IdentityStable (seed 100049509): at the place of one item a look gave another one that was edited
# here, and that was gone from its own; it was made there a second time.
chance 100049510
traits C6.6
policy merge
both-save meeting2 1
run
remote-recreate meeting2 3
run
  at effect 3 local-save meeting2 4 words
  at effect 22 remote-delete meeting2 5
both-save meeting2 7
