# Seed 6523491: A backup of nothing was brought back over a folder with three items, while two new
# ones came down in a run that was killed before it had noted them. All five are agreed on when the
# three are deleted, and that is not much of five.
chance 6523492
traits questions
policy merge
remote-save dentist 1
local-save odd 3
local-save task 4
local-save weekly 5
remote-save weekly2 6
run
  at http.PUT 2 C4.3
  at http.PUT 4 kill-after power 147867904772928
folder-restore task 24
run
  at effect 15 kill
