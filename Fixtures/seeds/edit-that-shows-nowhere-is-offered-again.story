# Seed 88512339: a server that keeps no attachments and gives another tag at each read was sent an
# edit of which it kept nothing: it was offered, and taken down, once more.
chance 88512340
traits C6.6 C6.24 C6.55 C6.33
policy merge
both-save weekly 12 once
local-save weekly 27 rule
local-save lunch 34
run
  at http.PUT 1 remote-save lunch 33
