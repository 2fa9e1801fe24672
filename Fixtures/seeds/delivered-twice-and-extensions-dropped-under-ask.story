# Seed 97093489: a proxy delivers an edit twice and gives the second answer, before a server that drops
# extensions: what it dropped looks like an edit there, and under ask a person is asked.
chance 97093490
traits C6.10
policy ask
remote-save gym 3
run
local-save gym 4 title
run
  at http.PUT 1 C4.24
