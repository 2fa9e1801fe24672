# Seed 2056: a file that was brought back with the same text was read again and its new version not
# written down, since the other side does not have it.
chance 2057
policy merge
direction pull
local-save odd 4
run
folder-backup - 0
folder-restore - 0
