# Seed 869868: a new item was delivered twice, and the answer was the refusal to replace it: with the
# alarm that the server adds it looks like somebody else's, and under ask a person is asked.
chance 869869
traits C6.39 C6.12 C6.31
policy ask
local-save lunch 9
run
  at http.PUT 1 C4.24
