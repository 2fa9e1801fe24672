# Seed 235881: the same with an item that has to be replaced, and a kill.
chance 235882
policy newest
remote-recreate flight 8
run
remote-save weekly 9
both-save flight 10 notes
remote-save flight 11 notes
run
  at effect 21 kill
