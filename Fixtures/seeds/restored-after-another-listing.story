# Seed 8084586: the listing of changes was the answer to another request, so that an edit there came
# one run after the version that a person had brought back here.
chance 8084587
traits C6.36
policy merge
remote-save walk 2
run
local-save walk 4 alarm
remote-save walk 5 title
run
  at http.REPORT 1 C4.19 sticky
restore walk 4
