# Seed 161883980: a proxy delivers an upload twice, the second is refused (412), and the look that is to
# tell why fails: what became of it is looked for in the next run, and an edit of it is no conflict.
chance 161883981
policy merge
both-save flight 1
run
remote-control choir 8
remote-save walk 11 place
run
  at http.PUT 1 C4.24
  at http.answer 1 local-save flight 13
  at http.GET 3 C4.17
local-save flight 14 start

