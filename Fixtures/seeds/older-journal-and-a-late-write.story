# Seed 39331091: an older copy of the journal came back on a server that carries writes out late,
# under the policy local. What both sides already shared of an edit counted as what the server had
# kept of it, and the categories that had been sent besides as dropped, so that they stayed in the
# folder alone.
chance 39331092
traits C6.54
policy local
local-save weekly 1
local-save weekly2 2
local-save flight 3
run
wait 60000
journal-copy - 0
local-overwrite weekly2 4 once
local-save weekly 5 start
remote-save flight 6 alarm
local-save weekly 7 once
remote-save weekly 8 rule
local-save weekly2 9 title
remote-save weekly2 10 words
remote-save weekly2 11 once
run
  at journal.record 4 server-clock-step - 3600000
  at http.DELETE 1 C5.6
local-save task 12 progress
remote-save flight 13 title
local-delete weekly 14 once
folder-mount weekly 15
run
local-overwrite task 16 progress
remote-save weekly 17 notes
local-delete task 18 title
remote-save task 19
local-save task 20 notes
remote-save task 21 notes
local-overwrite weekly2 22 words
remote-save weekly2 23 off
local-recase weekly 24
journal-restore - 0
run
  at http.PUT 2 kill
  at effect 12 kill-after power 259829204089086
resolve weekly both
  at files.renameNoReplace 3 local-delete weekly 25
  at files.read 2 C2.16
