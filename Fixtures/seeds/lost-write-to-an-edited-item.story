# Seed 13512846: an item was edited there after the listing, and a proxy answered the write of it
# with another item's answer. What was new in the write looks like what the server left out of it
# (docs/reliability.md).
chance 13512847
traits questions
policy merge
both-save dentist 2
remote-save gym 3
local-save odd 5
local-save walk 11
run
local-save odd 12
remote-delete gym 13
local-delete dentist 17 words
local-overwrite walk 18
local-save bank 21
run
  at http.PUT 3 C4.19
  at question 2 remote-save odd 22
