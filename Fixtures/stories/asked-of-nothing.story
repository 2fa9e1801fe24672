# An edit that meets a deletion is no deletion: nobody is asked, and the edit survives.
chance 1
confirm-delete no
both-save dentist 2
both-save gym 3
run
local-delete dentist
remote-save dentist 6
run
expect dentist 6 6
expect gym 3 3
