# Seed 39282976: both sides had given a flight the same attachment, and the folder a text besides.
# The run that carried both up was killed. The attachment, which had been there before, counted as
# what the server had kept of that write, and the text as what it had dropped, so that it stayed
# in the folder alone.
chance 39282977
traits C6.30
policy merge
local-save weekly2 1
local-save flight 2
run
wait 60000
remote-delete weekly2 3
local-save weekly2 4 start
run
  at effect 8 both-save flight 5
local-save flight 6 notes
remote-save flight 7 alarm
local-save weekly2 8 rule
remote-save weekly2 9 alarm
run
  at http.answer 3 kill
remote-save weekly2 10
local-overwrite weekly2 11 start
remote-save weekly2 12 once
run
