# Seed 8011909: on a server whose entity tags change with every look, an edit got the answer to
# another write and never arrived. The text there was as before, and calgw took that for an edit.
chance 8011910
traits C6.6
policy merge
local-save weekly2 8
both-save flight 9
run
local-save flight 18
remote-save weekly 21 words
run
  at effect 22 kill-after
  at http.PUT 1 C4.19
