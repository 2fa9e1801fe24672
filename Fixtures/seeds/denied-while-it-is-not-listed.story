# Seed 44288146: a server that shows changes after three minutes said 404 of all items in the run
# after the one that had sent them: what is neither listed nor given counts as gone, and left the
# folder. What was saved there anew before the server showed it is a conflict.
chance 44288147
traits C6.34 C6.22 C2.36
policy merge
both-save choir 2
both-save walk 3
local-save meeting2 4
local-save flight 9
run
  at http.REPORT 3 C4.17
local-save flight 14 notes
run
  at http.GET 2 C5.13 sticky
  at journal.close 3 local-save meeting2 16
