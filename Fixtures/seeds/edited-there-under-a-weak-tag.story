# Seed 5018: somebody edited an item on the server right after calgw's write. The server's tags are
# weak, and such a tag of the answer was not kept, so the edit was taken for the server's rewriting.
chance 5019
traits C6.2
policy local
both-save gym 2
remote-save gym 3
local-save dentist 4 words
remote-save dentist 5 words
run
  at http.REPORT 3 C4.21
remote-save dentist 9
local-overwrite gym 16
run
  at http.PUT 2 remote-save dentist 22 notes
