# Seed 171619: a server that answers PUT with 207 gives no entity tag for it, as one that gives none
# at all: an edit in that moment is taken for its rewriting (docs/reliability.md).
chance 171620
traits C6.47
policy merge
local-save odd 9
local-save task 10
run
  at http.PUT 2 remote-save odd 24 words
