# Seed 524770: as cut-off-under-a-wrong-tag.story, where listings give no tags.
chance 524771
traits C6.8 C6.42
policy merge
remote-save task 1
run
local-save task 5 place
remote-save task 6 notes
