# Seed 140233136: a server made an override a resource of its own, and somebody took out all that it
# held. Nothing but its address names what is left.
chance 140233137
traits C6.38
policy merge
remote-save weekly2 1
run
local-save weekly2 2 once
remote-delete weekly2 3 alarm
run
remote-save weekly2 7 moved
run
  at http.REPORT 1 remote-delete weekly2 8 notes
remote-save weekly2 11 off
