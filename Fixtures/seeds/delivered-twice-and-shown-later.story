# Seed 5343038: something on the way delivered a new item twice to a server that shows writes some
# seconds later, and somebody edited the file before the next run (docs/reliability.md).
chance 5343039
traits C6.54
policy merge
local-save meeting2 12
run
  at http.PUT 1 C4.24 sticky
local-save meeting2 26 title
