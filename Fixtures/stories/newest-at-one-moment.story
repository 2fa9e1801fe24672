# Two edits within two seconds: no clock tells them apart, and the one there holds.
chance 1
policy newest
both-save dentist 2
run
remote-save dentist 7 title
local-save dentist 6 title
run
expect dentist 7 7
