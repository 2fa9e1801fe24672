# An edit whose mtime is set back is seen all the same.
chance 1
policy merge
both-save dentist 2
run
wait 60000
local-same-time dentist 3
run
expect dentist 3 3
