# On a read-only calendar an edit here stays here, and is named.
chance 1
traits C6.43
policy merge
remote-save dentist 2
remote-save gym 3
run
local-save dentist 6
remote-save gym 7
run
expect dentist 6 2
expect gym 7 7
expect-problem read-only
