# Seed 6176941: While the disk with the folder was not mounted, the meeting came into the empty
# place and was deleted there, and so on the server. The folder that was mounted again has it: to a
# first sync, with nothing that both sides have, it is a new one.
chance 6176942
policy merge
local-save meeting2 1
run
folder-unmount meeting2 3
run
local-delete meeting2 4
run
