# Seed 1049021: one look at a new item was answered with 410; the same item of the folder went up beside
# it, and was deleted in the folder before anybody knew of two.
chance 1049022
traits C6.19 C6.44 C6.53
policy merge
remote-save meeting 1
both-save odd 2
folder-backup - 0
run
  at any 7 interrupt - 0
remote-save odd 3
folder-restore - 0
run
  at http.GET 3 C4.11
  at http.GET 1 C5.17
  at any 43 kill-after
local-delete odd 4 start
run
  at files.syncData 3 C2.2
  at any 35 kill-after power 95358958725282
restore meeting 3
  at any 30 local-double meeting 5
  at effect 12 clock-step - -3600000
  at http.REPORT 1 C4.15
