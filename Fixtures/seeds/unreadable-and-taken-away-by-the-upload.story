# Seed 32307933: a server lets a UID stand in one place only: the unreadable item goes in the very
# run that sends the folder's own, and is named in it for the last time.
chance 32307934
traits C6.34
policy merge
local-save weekly 3 moved
remote-control weekly 6
run
  at http.PUT 1 C5.17 sticky
