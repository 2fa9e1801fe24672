# Seed 1540025: A person had a version brought back under another name, the journal that had it was lost,
# and people saved over it on both sides: they gave it up themselves.
chance 1540026
policy merge
remote-save task 1
run
local-delete task 2 words
run
restore task 3
local-save task 4 progress
journal-lose task 5
run
  at effect 3 both-save task 6
