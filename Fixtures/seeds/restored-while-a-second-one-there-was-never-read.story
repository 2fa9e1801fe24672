# Seed 7658777: a second resource of the UID was made on the server, which refused to give it; a
# version was brought back into the folder before calgw could read that one.
chance 7658778
traits C6.44
policy merge
both-save weekly2 1
run
remote-delete weekly2 4 off
run
local-save weekly2 15 once
remote-save weekly2 16 once
run
  at http.GET 1 C5.7 sticky
restore weekly2 3
