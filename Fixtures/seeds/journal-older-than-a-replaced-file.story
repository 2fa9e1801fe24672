# An older journal comes back after a file was replaced: what the file held is in no history.
chance 6190
traits C6.29
policy merge
local-save bank 3
both-save dentist 4
local-save gym 5
run
journal-copy - 0
remote-save meeting 7 words
remote-save gym 8 notes
remote-save dentist 10 notes
local-overwrite bank 12 alarm
run
  at effect 32 kill-after
journal-restore - 0
