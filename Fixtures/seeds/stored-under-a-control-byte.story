# Seed 1032537: an edit was stored, calgw was killed, and somebody put a byte into the item that no XML
# can carry: the intent stayed open for ever.
chance 1032538
policy merge
remote-save meeting2 1
local-save dentist 3
run
remote-save meeting2 4
local-save dentist 5 notes
run
  at any 49 kill power 76356125705270
remote-control dentist 7
