# Seed 4399: after the folder was replaced, the only thing that was new to the server was one that it
# drops. It was sent, and taken for not stored, in every run.
chance 4400
traits C6.10
policy merge
local-save meeting 15 words
run
folder-replace task 25
