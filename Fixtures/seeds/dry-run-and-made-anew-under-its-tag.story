# Seed 9516294: an item was deleted and made anew on the server, under the tag of the former one.
# A dry run does not look at it as a write does, and said that the folder's edit goes up alone.
chance 9516295
traits C6.24 C6.53
policy merge
both-save odd 1
remote-save weekly 3
run
remote-delete odd 4 notes
remote-save odd 5
local-save odd 6 notes
run
