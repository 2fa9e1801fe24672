# The server leaves definitions out: the files keep theirs.
chance 1
traits C6.51
policy merge
local-save flight 2
local-save meeting2 3
run
wait 60000
local-save flight 11 title
remote-save flight 12 place
remote-save meeting2 13 notes
run
expect flight 11 11
expect meeting2 3 3
