# The server stores definitions of time zones of its own, and writes them anew later: an edit here is
# sent once, and a meeting is never sent because of a definition.
chance 1
traits C6.50
policy merge
local-save flight 2
local-save meeting2 3
remote-save flight3 6
run
remote-zones flight 0
remote-zones meeting2 0
remote-zones flight3 0
local-save flight 11 title
run
expect flight 11 11
expect meeting2 3 3
expect flight3 6 6
