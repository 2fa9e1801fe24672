# Seed 362024, with its journal lost: no intent says that the file may be in the cache alone.
chance 7
policy merge
remote-save choir 1
run
  at files.renameNoReplace 1 kill-after
journal-lose - 0
run
  at journal.agree 1 kill-after power 1
