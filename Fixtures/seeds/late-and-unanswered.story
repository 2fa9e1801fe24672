# Seed 4171422: the answer to an edit was lost, and the server carried it out some seconds later. A
# look just after it saw nothing of it, and what the server drops of such a text left the folder.
chance 4171423
traits C6.10 C6.54
policy merge
remote-save weekly 1
wait 60000
run
local-save weekly 15 rule
run
  at http.PUT 1 C4.11 sticky
