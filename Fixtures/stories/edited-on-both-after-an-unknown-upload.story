# The answer to an upload never came. It had arrived: the next edit there was made on top of it, as
# was the one here. Each of them holds what it changed, and neither meets our own upload as a
# stranger's edit.
chance 1
both-save dentist 1
run
local-save dentist 2 title
run
  at http.PUT 1 kill-after
local-save dentist 3 title
remote-save dentist 4 notes
run
expect dentist 3 3
