# Both sides edit an item in a folder on a disk that can neither exchange names nor link.
chance 1
traits C2.33
policy merge
both-save dentist 2
run
wait 60000
local-save dentist 6 title
remote-save dentist 7 words
run
expect dentist 6 6
