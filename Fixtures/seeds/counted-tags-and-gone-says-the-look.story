# Seed 32958584: on a server whose tags count the writes of an item, the look before a deletion is
# answered by 410, and the listing after it by nothing: the item counts as deleted, and comes
# back.
chance 32958585
traits C6.53
policy merge
remote-save bank 2
both-save dentist 3
both-save gym 4
run
local-delete dentist 5
both-save gym 6 start
remote-delete gym 7
local-save bank 8 words
run
  at http.REPORT 3 C4.12 sticky
  at http.GET 4 C5.17
