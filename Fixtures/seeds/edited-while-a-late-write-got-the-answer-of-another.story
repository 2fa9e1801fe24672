# Seed 72462650: a server that does what it was asked some seconds later, and a proxy that gives the
# answer to another request at the look at an edit: nobody can tell what it became of, and the next
# edit waits as a conflict.
chance 72462651
traits C6.54
policy ask
both-save walk 2
local-save meeting2 3
run
local-overwrite meeting2 6 notes
run
  at http.GET 1 C4.19
local-save meeting2 15 notes
