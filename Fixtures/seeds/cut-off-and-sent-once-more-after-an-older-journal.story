# Seed 8125722: a server cuts UIDs off, so that what calgw sent before an older journal was brought
# back is not known again: it is sent once more, and lies beside the others.
chance 8125723
traits C6.42
policy ask
journal-copy - 0
local-save odd 3 title
remote-save odd 4 words
run
resolve odd both
journal-restore - 0
run
  at http.answer 4 kill power 105626960058170
