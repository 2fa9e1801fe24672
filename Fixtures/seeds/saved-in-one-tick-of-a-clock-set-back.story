# Seed 70169864: a disk that counts in twos of seconds, and a clock that is set back amid a run: a
# save of the same size right after ours looks as old as ours, and older than the last scan.
chance 70169865
traits C2.32
policy merge
local-save task 8 title
local-save odd 10 title
remote-save odd 11 place
run
  at any 76 local-overwrite odd 13
  at effect 4 clock-step - -2000
