# Seed 957546: The answer to a GET was that to another one: the meeting was read at the address of
# the walk, which looked replaced by it, and was deleted here. The tag was not the one that the
# listing had named.
chance 957547
traits C6.44
policy merge
both-save walk 2
run
remote-save walk 7 alarm
remote-save meeting2 9 notes
run
  at http.GET 2 C4.19 sticky
