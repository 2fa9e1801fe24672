# Seed 459524: a server cut a text off, and the answer to the write gave another tag than it has:
# what was cut off looks like an edit there (docs/reliability.md).
chance 459525
traits C6.5 C6.42
policy merge
local-save gym 2
run
local-overwrite gym 7 notes
remote-save gym 8 words
