# Seed 130333759: a server cut off the notes of an edit, and calgw was killed before it had the
# answer; then the item was made anew here without notes. What the server had cut is taken for an
# edit there, and comes back (docs/reliability.md).
chance 130333760
traits C6.42
policy merge
local-save walk 3
run
local-save walk 6 notes
run
  at effect 8 kill
local-delete walk 8
local-save walk 9 start
