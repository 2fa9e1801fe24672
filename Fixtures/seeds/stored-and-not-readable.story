# Seed 1078634: new items were stored and could not be read back; the same run sent them under other
# names.
chance 1078635
traits C2.36
policy merge
local-save weekly2 4
both-save choir 6
both-save walk 7
both-save meeting2 8
both-save bank 9
remote-save task 13
run
  at http.GET 2 C5.28 sticky
