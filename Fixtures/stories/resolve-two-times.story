# Both sides moved it, to unlike times, and a person takes the time there.
chance 1
both-save dentist 2
run
local-save dentist 6 start
remote-save dentist 7 start
run
resolve dentist remote
expect dentist 2 2
expect-text dentist DTSTART:20260105T170000Z
