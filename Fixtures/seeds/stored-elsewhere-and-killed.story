# Seed 7175073: The server stored an edit of what had been deleted there under an address of its
# own, and calgw was killed before it had noted that. What is at the new address looks like
# somebody's item, and what the server dropped of it like that person's doing. The whole text is in
# the history.
chance 7175074
traits C6.14 C6.10
policy merge
remote-save walk 1
run
remote-delete walk 5
local-save walk 6 notes
run
  at http.REPORT 2 kill
