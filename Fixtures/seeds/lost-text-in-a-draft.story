# Seed 151348679: a run was killed before it had recorded a write, and the journal lost a text of it. A
# run finds that in the draft that is left, and a dry run does not look there.
chance 151348680
policy remote
local-save choir 1
run
local-save choir 6 place
remote-save choir 7 words
run
  at files.syncDirectory 2 kill
local-save choir 9 words
journal-blank flight 14
run
