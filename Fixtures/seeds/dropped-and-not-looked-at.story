# Seed 16780: the look at what a lossy server stored failed. The next run took what the server had
# dropped for an edit there, and the file lost it.
chance 16781
traits C6.10
policy merge
both-save meeting2 3
run
local-save meeting2 6
remote-save gym 7 place
run
  at http.REPORT 3 C5.4
