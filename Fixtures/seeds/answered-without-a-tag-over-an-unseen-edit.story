# Seed 8017371: a write got the answer to another one, without an entity tag, and an edit there, of
# what servers also change by themselves, was not seen before: it looks like what the server made of
# ours (docs/reliability.md). Both edits stay where they are.
chance 8017372
traits C6.30 C6.15
policy merge
local-save task 7 progress
run
local-save task 13 notes
remote-save task 14 progress
run
  at http.PUT 1 C4.19 sticky
