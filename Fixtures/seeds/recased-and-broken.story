# Seed 5289826: on a disk that ignores case a file got its name in another case and was broken, and
# the server's item was deleted. Each run looks for it anew until it is mended (docs/reliability.md).
chance 5289827
traits C2.30
policy merge
remote-save meeting2 1
run
remote-delete meeting2 4 start
local-recase meeting2 5
local-break meeting2 7
