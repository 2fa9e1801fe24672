# Seed 211374630: two files exchanged their names, and the listing of that moment missed one of them.
# The item of the other one was seen under its new name, so the name of the first was taken, and the
# first one deleted on the server without a second look. Is every name known that is there?
chance 211374631
policy merge
remote-save walk 1
remote-save dentist 3
run
remote-save bank 4 alarm
remote-save dentist 12
remote-save walk 14 title
local-save meeting2 15 title
remote-save meeting2 16 title
run
  at effect 38 kill power 184566737321534
run
  at any 23 local-exchange bank 22
  at files.readContent 4 local-hide bank 23
