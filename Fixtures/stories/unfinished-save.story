# A file that an editor has truncated and not yet written is left alone.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
local-half dentist 6
remote-save gym 7
run
expect dentist broken 2
expect gym 7 7
expect-problem incomplete
