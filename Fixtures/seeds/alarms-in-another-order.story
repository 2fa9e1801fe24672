# Seed 792048: a server that adds an alarm had the others in another order; when its own went, one of the
# others was taken for an edit of it, and left the folder.
chance 792049
traits C6.12
policy merge
local-save dentist 1
run
local-save dentist 9 alarm
remote-save dentist 10 alarm
run
both-save dentist 15
local-save dentist 17 start
