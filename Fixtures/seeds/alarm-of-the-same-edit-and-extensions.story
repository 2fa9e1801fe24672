# Seed 13428665: a server that drops extensions refused a write; somebody had made the same edit
# there, and an alarm, in a client that the server leaves its extensions. calgw was killed: nobody
# can tell that alarm from one of the server's (docs/reliability.md).
chance 13428666
traits C6.30 C6.10
policy merge
both-save choir 1
both-save walk 2
run
local-directory choir 3
both-save choir 5 alarm
remote-save choir 6 alarm
both-save walk 7
run
  at http.REPORT 1 kill-after power 277193286418772
