# A calendar that takes events alone: the journal entry stays here and is named.
chance 1
traits C6.37
local-save diary 2
local-save gym 3
run
expect diary 2 -
expect gym 3 3
expect-problem unsupported
