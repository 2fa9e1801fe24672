# Seed 220131681: an upload had arrived when a run was killed; somebody cut the text off there, and
# wrote it anew without the word that was in the upload. That word stays here (docs/reliability.md).
chance 220131682
policy merge
remote-save dentist 1
run
local-save dentist 5 words
remote-delete dentist 10
run
  at effect 7 kill-after
remote-break dentist 12
run
  at http.REPORT 2 remote-save dentist 15 start
