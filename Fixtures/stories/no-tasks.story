# A calendar that takes no tasks.
chance 1
traits C6.37
policy merge
local-save task 2
local-save gym 3
run
expect gym 3 3
expect task 2 -
expect-problem unsupported
