# Seed 12504: the journal had lost the text of one of two versions that were to be merged. They waited
# as a conflict, although it still was in the folder.
chance 12505
policy merge
local-save weekly2 1
local-save flight 2
remote-save choir 3
run
local-save choir 9 start
remote-save choir 10 place
run
  at effect 9 kill
journal-blank flight 16
