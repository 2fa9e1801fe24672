# A file whose UID was changed is another item; the one that it was is deleted.
chance 1
policy merge
both-save dentist 2
both-save gym 3
run
local-recreate dentist 6
run
expect dentist-6 6 6
expect gym 3 3
