# Seed 18623: a proxy answered a write that only added an alarm with the answer to another one. What
# the server still had was taken for what it made of ours, and the alarm never went up.
chance 18624
policy merge
remote-save choir 13 words
run
local-save choir 19 alarm
local-save dentist 22
local-save weekly2 23 place
run
  at http.PUT 3 C4.19
