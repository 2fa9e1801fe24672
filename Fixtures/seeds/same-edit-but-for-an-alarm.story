# Seed 147913: both sides held the same edit, the folder an alarm besides. The write was refused, as
# it should be, and calgw was killed before it wrote that down: no client can tell what is there from
# its own write on a server that drops alarms (docs/reliability.md).
chance 147914
traits C6.30
policy merge
remote-save weekly2 3
run
both-save weekly2 5 off
local-save flight 7 place
run
  at journal.close 1 interrupt - 0
  at effect 2 local-save weekly2 9 alarm
local-save flight 12 title
run
  at any 43 kill-after power 146617102844550
