# Seed 130863546: what was deleted and made anew there showed at two addresses, one behind the answer
# to another request: it left the folder and came back in one run, and both were told.
chance 130863547
policy merge
local-save gym 1
remote-save meeting 2
both-save odd 3
run
wait 90000000
remote-delete gym 5 alarm
remote-save gym 7
local-save meeting 8 start
run
  at http.PROPFIND 2 C4.19
  at http.GET 2 kill-after power 205950143410990
