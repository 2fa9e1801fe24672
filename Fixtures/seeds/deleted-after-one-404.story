# Seed 665861: one answer of 404 was taken for the end of an item that was to be deleted; it stayed on
# the server, and came back.
chance 665862
traits C6.8
policy merge
remote-save choir 8
run
local-delete choir 11
run
  at http.GET 1 C5.13
