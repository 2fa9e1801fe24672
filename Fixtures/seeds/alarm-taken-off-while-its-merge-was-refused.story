# Seed 121094343: an override made here and an alarm given to the series there were merged, written
# here and refused there; meanwhile a person saved both sides without the alarm. The account asked
# for the alarm that the merge had brought into the override.
chance 121094344
traits C2.33
policy merge
remote-save weekly 1
remote-save weekly2 2
local-save flight 3
run
local-overwrite weekly 8
local-save weekly2 9 once
remote-save weekly2 10 alarm
run
  at any 75 both-save weekly2 11 place
  at http.PUT 1 C5.6 sticky
