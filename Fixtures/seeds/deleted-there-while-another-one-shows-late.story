# Seed 9165715: somebody deleted what calgw had just sent, and the listing then showed the same UID at
# another address, late: that was no name of the server's own for ours.
chance 9165716
traits C6.21
policy merge
run
local-save bank 3 title
remote-save bank 4 start
local-save bank 5 alarm
remote-save bank 6 place
run
  at http.answer 4 remote-delete bank 8
