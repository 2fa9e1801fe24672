# Seed 130994808: an alarm was merged here, somebody took it off there, and a proxy answered our write
# with another answer: it counts as left out by the server (docs/reliability.md).
chance 130994809
policy merge
both-save dentist 1
local-save gym 2
run
remote-save dentist 4 alarm
run
  at http.PUT 1 C4.19
  at effect 9 both-save dentist 6
