# A broken file hid an edit there. To bring the last good version back does not write over it: the
# file is mended, and the next sync brings the edit.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
local-break dentist 6
remote-save dentist 7 title
run
restore dentist 0
run
expect dentist 7 7
expect gym 3 3
