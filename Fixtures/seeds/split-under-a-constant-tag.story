# Seed 244398: a server made a resource of an override that it was sent, and its tag for the calendar
# stayed as it was: that shows when all tags are compared, once a day.
chance 244399
traits C6.30 C6.38
policy merge
remote-save weekly 17 moved
run
local-overwrite weekly 25 moved
