# Seed 96325151: deleted there and made anew in the moment between our write and our look, an item
# lacks what was new in the write: that looks like what the server left out.
chance 96325152
policy merge
remote-save choir 1
both-save walk 2
local-save meeting2 3
local-save walk 4 words
remote-save walk 5 title
run
  at any 81 remote-save walk 8
  at http.answer 4 remote-delete walk 9
