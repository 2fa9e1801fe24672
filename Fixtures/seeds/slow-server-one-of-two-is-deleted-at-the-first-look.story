# Seed 32480112: a server that shows changes three seconds late does not list a new item yet, so
# that the folder's own goes up beside it, and is deleted there at our first look after the write:
# what is left is the same without an alarm, as servers leave alarms out.
chance 32480113
traits C6.21
policy merge
both-save gym 1
local-save gym 2 alarm
run
  at http.REPORT 2 remote-delete gym 4
