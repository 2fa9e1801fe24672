# Seed 9397761: a server cuts an edit off to what it had, and answers with a tag that its listings
# never give: that the write came nobody can tell, and it is offered once an hour.
chance 9397762
traits C6.42 C6.5
policy local
both-save meeting2 1
run
local-save meeting2 4 notes
run
  at http.PUT 1 kill-after
