# Seed 140071851: calgw was killed at a deletion, somebody moved the item on the server before the
# next run, and the folder has made it anew. At its new address it is new (docs/reliability.md).
chance 140071852
policy merge
both-save task 7
local-save flight 9
both-save walk 11
run
both-save choir 15 title
local-delete walk 16 start
local-save flight 18
local-same-time task 22
run
  at effect 12 kill-after power 82696139964226
local-save walk 29 notes
remote-move walk 35
