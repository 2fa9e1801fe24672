# Seed 10041826: a date was taken back and cancelled again here, so that the EXDATEs stood in another
# order, and the rule was changed there: that was a conflict, though only one side changed when it is.
chance 10041827
policy merge
remote-save weekly 3
run
local-save weekly 13 off
remote-save weekly 14 off
run
local-save weekly 19 once
local-save weekly 22 off
remote-save weekly 23 rule
