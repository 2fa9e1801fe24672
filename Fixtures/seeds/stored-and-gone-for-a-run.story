# Seed 1049626: a server stored a new item and said of all items that they were gone; the item was
# sent once more in the next run.
chance 1049627
traits C6.44
policy merge
remote-save dentist 14 notes
run
local-save task 18
both-save dentist 22 words
remote-save task 26 place
run
  at http.GET 1 C5.17 sticky
