# Seed 1699456: The answer to a write was another request's, and somebody had edited the item there. The
# server gives no tag for what it stores, so what is there was taken for the rewriting of ours.
chance 1699457
traits C6.1 C6.30
policy merge
local-save gym 2
run
local-save gym 6 title
remote-save gym 11 start
run
  at http.PUT 1 C4.19 sticky
