# Journal entries (VJOURNAL) travel like events.
chance 1
local-save diary 2
remote-save diary2 3
both-save diary3 6
run
local-save diary 7 title
remote-save diary2 10 notes
remote-delete diary3
run
expect diary 7 7
expect diary2 3 3
expect-text diary2 DESCRIPTION:what is to be said about it in 10
