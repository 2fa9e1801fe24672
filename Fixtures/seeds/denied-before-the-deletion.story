# Seed 80642231: the server gives one tag to two versions of one second, so the item is read before
# it is deleted; that look says 404, and the listing after it is refused. Nothing shows that the
# item is there, until it comes back as the server has it.
chance 80642232
traits C6.7
policy merge
local-save weekly2 2
local-save choir 4
run
local-delete choir 5 start
remote-save weekly2 10 place
run
  at http.GET 1 C5.13
  at http.REPORT 4 C5.11
