# Seed 3105159: what an exchange brought out could not be read, nor could what the way back did. Our
# own text stayed in the item's place, and the next run took it for a person's edit.
chance 3105160
policy merge
local-save weekly 4
run
remote-save weekly 6 once
run
  at files.readContent 2 C2.4 sticky
remote-delete weekly 20 off
