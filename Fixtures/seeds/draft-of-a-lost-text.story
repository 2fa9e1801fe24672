# Seed 228332: killed while an older version was being brought back, and then an older journal took
# the place of the one that had it. Its draft alone held the text, and counted as a copy to keep.
chance 228333
policy merge
journal-copy - 0
both-save gym 6
local-save gym 7 notes
run
restore gym 3
  at effect 7 kill-after
journal-restore - 0
