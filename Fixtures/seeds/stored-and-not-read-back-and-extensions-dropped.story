# Seed 1319160: an edit was stored, and the look at it failed once; what the server had dropped of it
# was then taken for an edit there, and left the folder.
chance 1319161
traits C6.10 C6.44
policy merge
both-save flight 1
run
local-save flight 3
remote-save choir 5 words
run
  at http.GET 2 C5.15
