# Seed 362024: killed between a rename and the fsync of the folder. The next run recorded the file
# as shared; a power cut took it away, and the server's was deleted.
chance 362025
policy local
remote-save choir 1
local-save walk 2
run
  at files.renameNoReplace 1 kill-after
remote-save choir 3 alarm
run
  at files.exchange 1 kill power 49358173948667
