# A meeting that the server annotates is sent once, when it was edited here.
chance 1
policy merge
local-save meeting 2
run
remote-schedule meeting 3
local-save gym 6
run
expect gym 6 6
expect meeting 2 2
