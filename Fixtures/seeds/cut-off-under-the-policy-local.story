# Seed 481030: as cut-off-under-a-wrong-tag.story, under a policy that lets the folder win.
chance 481031
traits C6.42 C6.6
policy local
remote-save bank 11 alarm
run
local-save bank 14 notes
remote-save bank 15 title
