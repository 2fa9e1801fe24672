# Seed 81452261: somebody makes on the server the most of what a write carries, the server does late
# what it is asked, and calgw is killed before the answer: what is there passes for the server's
# version of the write, and the rest of the edit stays in the folder.
chance 81452262
traits C6.54
policy merge
local-save task 1
remote-save weekly2 3
run
both-save task 4 notes
local-save task 6 progress
local-save weekly2 7 title
run
  at http.answer 4 kill power 219003515545761
