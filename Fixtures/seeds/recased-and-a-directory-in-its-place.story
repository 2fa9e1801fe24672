# Seed 70142887: a disk that ignores case; the file got its name in another case, the item was
# deleted on the server, and a directory took the file's place.
chance 70142888
traits C2.30
policy merge
remote-save meeting 2
run
local-recase meeting 4
remote-delete meeting 5
local-directory meeting 7
