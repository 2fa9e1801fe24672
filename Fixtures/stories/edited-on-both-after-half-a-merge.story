# The merge was in the folder, and had just arrived on the server, when calgw was killed. The same
# property was edited here once more and another one there: both edits were made on top of the merge.
chance 1
both-save dentist 1
run
local-save dentist 2 title
remote-save dentist 3 notes
run
  at http.PUT 1 kill-after
local-save dentist 4 title
remote-save dentist 5 place
run
expect dentist 4 4
