# Seed 8999265: on a server that is three seconds late a write seemed to be dropped, and was found
# done in the next round: it is not among what the run says it has done.
chance 8999266
traits C6.54
policy merge
local-save gym 1
local-save odd 3
run
local-overwrite odd 4
local-save task 7
local-save gym 8 title
remote-save gym 10 start
run
