# Seed 671341: a new alarm was answered as stored and never arrived, on a server whose tags change with
# every look: it looks like one that keeps no alarms. No client can know better.
chance 671342
traits C6.6
policy merge
remote-save meeting 4
local-save gym 7 start
run
local-overwrite meeting 12 alarm
run
  at http.PUT 1 C4.19
