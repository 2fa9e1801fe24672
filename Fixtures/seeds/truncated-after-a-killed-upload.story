# Seed 140069166: a file was truncated after a run that was killed at its upload: the broken file is
# named as one, and not only what became of the write.
chance 140069167
policy merge
local-save weekly2 4 off
remote-save weekly2 5 off
remote-save flight 7 words
run
  at effect 21 kill
local-truncate weekly2 10
run
