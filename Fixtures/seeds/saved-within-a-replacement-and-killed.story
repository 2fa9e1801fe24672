# Seed 213482746: a merge replaces the file in the moment in which somebody saves it, and the run is
# killed before it looks at what came out: that save is in the history, and the run says so.
chance 213482747
policy merge
both-save odd 1
run
remote-touch odd 5
local-save odd 6
run
  at effect 12 local-overwrite odd 4
  at files.exchange 1 kill-after
