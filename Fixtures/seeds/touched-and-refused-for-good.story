# Seed 150068297: a program touched an item here, and it was edited on a server that adds an alarm and
# lets nothing be replaced. What the merge brought here is no edit of the folder, and nobody is asked.
chance 150068298
traits C6.12 C6.39
policy ask
local-save weekly 1
run
remote-save weekly 4
local-touch weekly 3
