# Seed 9200: a server that drops extensions and gives a new tag at every read. What it had dropped
# was taken for somebody's edit, and dropped from the file as well.
chance 9201
traits C6.10 C6.6
policy merge
local-save dentist 2
