# Under newest the version that was edited last holds as a whole: the title from there, and not the
# place from here.
chance 1
policy newest
both-save dentist 2
both-save gym 3
run
local-save dentist 6 place
wait 60000
remote-save dentist 7 title
run
expect dentist 7 7
expect gym 3 3
