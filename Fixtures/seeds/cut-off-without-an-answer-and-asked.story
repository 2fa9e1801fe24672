# Seed 7666264: What a server cut off of a write without an answer is somebody's edit, and under
# `ask` a person is asked whether it or the next edit here holds.
chance 7666265
traits C6.42
policy ask
local-save odd 1
local-save odd 3 notes
run
  at http.REPORT 2 C4.5 sticky
local-save odd 4 title
