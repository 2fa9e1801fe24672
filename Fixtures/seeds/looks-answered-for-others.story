# Seed 4815293: every look at an item got the answer to another one, so that what was there was said
# to be gone, and went up beside it (docs/reliability.md).
chance 4815294
traits C6.44
policy merge
remote-save flight 3
both-save choir 4
run
local-save flight 9 start
remote-delete flight 11
local-directory choir 12
run
  at http.GET 1 C4.19 sticky
