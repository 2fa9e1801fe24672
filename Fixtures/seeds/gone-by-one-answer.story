# Seed 216104815: a server without multiget, whose tags are read before each write, said once of an
# item that was to be deleted that it was gone: it was believed, and the item came back.
chance 216104816
traits C6.44 C6.7
policy merge
local-save flight 9 words
local-save walk 11 words
run
local-delete flight 13 alarm
run
  at http.GET 1 C5.17
