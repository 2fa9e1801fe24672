# A journal entry gets another title here and a text there: both are on both sides.
chance 1
both-save diary 2
run
local-save diary 6 title
remote-save diary 7 notes
run
expect diary 6 6
expect-text diary DESCRIPTION:what is to be said about it in 7
