# Seed 41371923: on a disk that ignores case a file was renamed to capitals, and another item was
# saved under its name in small letters, which replaces it.
chance 41371924
traits C2.30
policy merge
local-recreate flight 6
local-recase flight 8
local-save flight 9
