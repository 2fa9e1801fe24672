# calgw was killed when a new file had its name, and before that was written down. The file was
# renamed and edited, and the item was edited on the server too: all of it is one item with both
# edits, and no first meeting of two.
chance 1
remote-save dentist 1
run
  at files.renameNoReplace 1 kill-after
local-rename dentist 2
local-save dentist 5 title
remote-save dentist 6 notes
run
expect dentist 5 5
