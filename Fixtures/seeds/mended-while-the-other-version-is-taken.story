# Seed 708780: a file was saved anew while the other side's version was taken, and could not be read
# at first: it counted as broken, and the version went over it.
chance 708781
policy merge
local-save weekly2 1
run
remote-save flight 3 alarm
local-save weekly2 4 off
remote-save weekly2 7 start
run
resolve weekly2 remote
  at any 21 local-overwrite weekly2 9
  at files.read 3 C2.4
