# Seed 447161: an upload could not be looked at, and somebody edited the new item on the server.
# What the server had dropped of it went out of the folder with the edit.
chance 447162
traits C6.10
policy merge
both-save weekly 1
local-save flight 2
run
  at http.REPORT 3 C4.3
remote-save flight 13
