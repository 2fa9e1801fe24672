# Seed 3020888: a server whose listings give no tags cut a description off to what it had before. The
# write counted as not done, and was sent again with every run.
chance 3020889
traits C6.42 C6.8
policy merge
local-save task 4 title
local-overwrite task 11 notes
run
local-overwrite task 14 notes
