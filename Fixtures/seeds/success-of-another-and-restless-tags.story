# Seed 48103161: the server gives an item another entity tag with each look, and none for a write.
# The answer to another request, a success, was taken for that to an upload; what was there before
# was there still, under another tag, and counted as what a server that drops all had made of it.
chance 48103162
traits C6.6 C6.47
policy merge
both-save weekly2 3
local-save odd 12
run
local-overwrite odd 20
local-save weekly2 23 start
run
  at http.PUT 1 C4.19
