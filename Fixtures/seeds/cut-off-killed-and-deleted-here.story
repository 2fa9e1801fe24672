# Seed 8435123: a server cut a new item off, calgw was killed before it had the answer, and the file
# was deleted meanwhile. What was cut off counts as an edit there, and survives the deletion
# (docs/reliability.md).
chance 8435124
traits C6.42
policy merge
local-save dentist 1
local-save dentist 5 notes
run
  at http.answer 4 kill-after
  at effect 5 local-delete dentist 12 title
