# Seed 84071348: tags count an item's writes, so one that is deleted and made anew has its former
# tag, and nobody names it as changed: a merge writes over it. The limit of such a server.
chance 84071349
traits C6.24 C6.53
policy merge
remote-save odd 1
run
remote-delete odd 2
local-delete odd 3
local-save odd 4 place
remote-save odd 5 title
remote-save odd 7 title
run
  at effect 7 kill
remote-delete odd 9 words
local-save odd 10 alarm
remote-save odd 11 start
remote-save odd 13 start
run
  at http.PUT 1 C5.32
