# Seed 3105159, too: a run was killed after it had replaced a file, and the next one could not read
# it. It gave up what it knew of the write, and the one after it took our text for a person's edit.
chance 3105160
policy ask
local-save weekly 4
run
remote-save weekly 6 once
local-save task 9 words
remote-save task 10 notes
run
  at effect 14 kill-after
run
  at files.readContent 2 C2.4 sticky
remote-delete weekly 20 off
