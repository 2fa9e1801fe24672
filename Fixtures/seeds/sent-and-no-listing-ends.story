# Seed 44322911: the server chooses the addresses, stores what it is sent within three seconds, and
# names no end of its listing: what was sent shows nowhere, and each run that fails at the listing
# has looked for it.
chance 44322912
traits C6.27 C6.14 C6.54
policy merge
local-save walk 33 notes
local-save weekly 35 moved
local-save choir 36 title
