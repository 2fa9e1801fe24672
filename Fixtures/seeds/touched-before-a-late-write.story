# Seed 140164352: a program touched an item on a server that does its writes late, before a run that
# had an edit of it. What it touched is read before it goes.
chance 140164353
traits C2.33 C6.54
policy merge
local-save flight 1
run
local-save flight 2 alarm
remote-save flight 3 alarm
remote-touch flight 7
run
  at effect 27 server-clock-step - -3600000
