# Seed 7013305: calgw was killed when its edit had arrived, and the server had dropped extensions and
# cut off a description: to the next run that is somebody's edit there, and comes into the file. The
# whole text is in the history.
chance 7013306
traits C6.10 C6.42
policy merge
both-save odd 2
run
local-save task 7 title
local-save odd 9 notes
run
  at http.PUT 2 kill-after
