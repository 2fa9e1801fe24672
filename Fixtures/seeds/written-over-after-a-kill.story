# Seed 4415233: a merge went to a server that drops extensions, calgw was killed before it had the
# answer, and somebody edited there what the merge had changed. Nothing is left to know it by, so
# what the server dropped counts as that person's edit (docs/reliability.md).
chance 4415234
traits C6.10
policy merge
both-save gym 2
run
local-save dentist 6 alarm
remote-save dentist 7 alarm
local-overwrite gym 8 title
remote-save gym 9 notes
run
  at effect 24 kill
remote-save gym 11
