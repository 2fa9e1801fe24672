# Seed 620088: one answer of 404 was taken for the end of an item that was to be deleted. It stayed,
# and who brought the item back had it there twice.
chance 620089
traits C6.8
policy merge
remote-save task 2
run
local-delete task 6 notes
run
  at http.GET 1 C5.13
restore task 2
