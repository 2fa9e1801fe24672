# One occurrence gets a title here, and the whole series notes there.
chance 1
policy merge
both-save weekly 2
run
local-save weekly 6 once
remote-save weekly 7 notes
run
expect weekly 2 2
