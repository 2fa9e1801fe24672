# Seed 557678: a file that was never read could not be read, and a version of its item, which the
# server had, was brought back beside it: nobody can know that it is the same item.
chance 557679
policy merge
direction pull
remote-save dentist 3 place
local-save dentist 4 alarm
run
  at any 16 local-hide dentist 7
restore dentist 0
