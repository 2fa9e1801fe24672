# Seed 140050317: a file was truncated while calgw wrote it, and the power went: the broken file is
# named as one, and not only what became of the write.
chance 140050318
policy merge
remote-save gym 11 words
local-save odd 12 words
remote-save odd 13 words
run
  at effect 16 local-truncate odd 15
  at files.syncDirectory 3 kill power 105461677803805
run
