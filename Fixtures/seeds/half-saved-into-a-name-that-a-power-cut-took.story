# Seed 130805555: a program began to save into a file that calgw had just put there, a power cut took
# the name back, and the program went on (docs/reliability.md).
chance 130805556
policy merge
local-save weekly2 1
run
remote-save weekly2 2 start
run
  at effect 12 local-half weekly2 5
  at effect 12 kill power 182889075159179
