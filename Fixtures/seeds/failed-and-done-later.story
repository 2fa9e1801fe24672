# Seed 4504719: a server said that it failed, and stored the new item some seconds later. By then
# somebody had edited the file: two people's, as far as anybody can tell (docs/reliability.md).
chance 4504720
traits C6.54
policy merge
local-save meeting2 17 place
run
  at http.PUT 1 C5.26 sticky
local-save meeting2 24 notes
