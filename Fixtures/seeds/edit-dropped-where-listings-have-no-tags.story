# Seed 789357: The answer to an upload was that to another, and nothing was stored. The server
# lists no entity tags, so nothing was known of the one before: that what was there had one now was
# taken for proof that the server had stored the edit, and kept none of it.
chance 789358
traits C6.8
policy merge
local-save bank 2
run
local-save bank 10 place
run
  at http.PUT 1 C4.19
