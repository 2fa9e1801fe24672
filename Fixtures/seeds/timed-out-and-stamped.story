# Seed 895: the answer to a write was lost, and the server had added LAST-MODIFIED. The same text was
# sent once more, with a mail to every attendee.
chance 896
traits C6.11
policy merge
run
  at http.answer 1 remote-save gym 6
local-save odd 13
local-save gym 14
run
  at http.PUT 2 C4.11 sticky
