# Seed 7251678: The item of a file was replaced by another one and deleted on the server, which
# answered each look at it with 400 in that run. Until all tags are compared anew it counts as
# listed there.
chance 7251679
policy merge
local-save weekly2 1
run
local-recreate weekly2 3
remote-delete weekly2 4 start
run
  at http.GET 1 C5.6 sticky
