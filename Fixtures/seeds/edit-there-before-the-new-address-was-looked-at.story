# Seed 959771: The server chose the address of a new item, and somebody edited it there before
# calgw looked. That version was taken for what the server had made of ours, although the answer to
# the upload had given another tag.
chance 959772
traits C6.14
policy merge
local-save walk 3
local-save flight 4 alarm
local-save weekly2 6 title
remote-save walk 7 alarm
local-copy walk 8
run
  at any 44 kill
both-save choir 9 notes
run
  at any 61 remote-save flight 18 words
