# Seed 4596321: an item was moved on a server that shows it at its new address some seconds later, and
# an edit of it here went by the policy (docs/reliability.md).
chance 4596322
traits C6.54
policy remote
remote-save bank 12 words
local-save meeting2 14 alarm
run
local-save bank 18 words
remote-move bank 20
run
