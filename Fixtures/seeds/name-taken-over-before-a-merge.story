# Seed 1903959: an item was saved under another name, and a new one has its old name. A run that was
# killed between the two agreed on the new one at that place, which dropped what both sides shared of
# the first: edits of two properties became a conflict.
chance 1903960
policy merge
remote-save odd 1
run
remote-save odd 5 start
local-recreate odd 6
local-save odd 8
run
  at http.PUT 1 kill-after
