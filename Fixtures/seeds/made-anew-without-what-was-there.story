# Seed 38045829: a first meeting added a category to what the server had, and the run ended before it
# had looked. Somebody then deleted the item there and made it anew, without the alarm that it had had
# before. That an alarm was gone counted as a part of what calgw had written, so that what the new
# item lacked as well counted as dropped by the server, and the sides stayed different.
chance 38045830
policy merge
both-save gym 2
remote-save gym 8 alarm
local-save gym 9 words
run
  at http.REPORT 3 C4.23 sticky
remote-delete gym 15 start
remote-save gym 19 place
