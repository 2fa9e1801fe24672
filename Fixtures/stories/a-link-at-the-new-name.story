# A file got another name while its event was in conflict, and a link took its place there: that is
# no deletion, of an event that the run after the renaming has seen.
chance 1
policy ask
both-save dentist 2
both-save gym 3
run
local-save dentist 6 title
remote-save dentist 7 title
local-rename dentist 1
run
local-link dentist
run
expect dentist - 7
expect gym 3 3
expect-problem not-a-file
