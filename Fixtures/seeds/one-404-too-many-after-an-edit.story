# Seed 41363037: the look at an edit that had just been sent to a server that drops extensions was
# answered with 404. What the server had kept of the edit counted as somebody's in the next run, and
# the extension left the folder.
chance 41363038
traits C6.44 C6.10
policy merge
both-save dentist 1
remote-save gym 2
local-save dentist 3 place
remote-save dentist 4 alarm
run
  at http.GET 3 C5.13
