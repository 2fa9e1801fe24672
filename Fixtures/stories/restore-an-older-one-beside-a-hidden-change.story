# The same with a version from before the last sync: both sides have changed it then, and the policy
# says what becomes of that.
chance 1
policy ask
both-save dentist 2
both-save gym 3
run
local-save dentist 6 title
run
local-break dentist 8
remote-save dentist 7 title
run
restore dentist 0
run
expect dentist 2 7
expect gym 3 3
expect-conflict dentist
