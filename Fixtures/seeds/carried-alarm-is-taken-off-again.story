# Seed 90949290: a killed run had given a new override the alarm that the other side gave the series,
# and somebody there took it off again.
chance 90949291
policy merge
local-save odd 1
local-save task 2
local-save weekly 3
run
remote-delete odd 4
local-save weekly 5 moved
remote-save weekly 6 alarm
run
  at any 84 kill
remote-save weekly 14 once
