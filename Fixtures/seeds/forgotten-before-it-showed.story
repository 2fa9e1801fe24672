# Seed 138274: an item that the server did not show yet was deleted in the folder and forgotten, as gone
# from both sides; saved once more, it was a new one, and the server's former one won.
chance 138275
traits C6.22 questions
policy remote
local-save dentist 1
both-save meeting 3
run
remote-delete meeting 4 notes
local-delete dentist 5 words
local-overwrite meeting 6 title
run
local-save dentist 10 words
