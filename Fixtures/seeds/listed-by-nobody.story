# Seed 5931: an item that was deleted on the server while nobody could look stayed a problem, since
# no list of changes names it once more.
chance 5932
policy merge
remote-save weekly2 15
run
remote-delete weekly2 25
run
  at http.GET 1 C5.6
