# Seed 131053701: the server's tag never tells of an edit there, which was most of ours; calgw was
# killed after the 412 to its write: what is there counts as what the server made of it.
chance 131053702
traits C6.30
policy merge
both-save odd 1
local-save task 2
run
both-save task 8 words
local-overwrite task 12 progress
run
  at any 42 kill-after
