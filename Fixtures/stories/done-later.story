# The server says that a write is done, and does it within three seconds: nothing is sent twice.
chance 1
traits C6.54
policy merge
local-save dentist 10
remote-save choir 12
run
local-save dentist 11 title
local-save choir 13 place
run
expect choir 12 12
expect dentist 11 11
