# Under newest the version that was edited last holds as a whole: the place from here, and not the
# title from there, which is in the history.
chance 1
policy newest
both-save dentist 2
run
remote-save dentist 7 title
wait 60000
local-save dentist 6 place
run
expect dentist 2 2
expect-text dentist LOCATION:room 6
