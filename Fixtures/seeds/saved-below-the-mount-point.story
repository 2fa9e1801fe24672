# Seed 7884680: A version was saved on both sides while the disk with the folder was not mounted.
# Once it is, the one below the mount point is out of sight, and who saves over the one on the
# server gives that version up.
chance 7884681
policy merge
local-save weekly 7 place
remote-save weekly 8 place
local-save weekly 9 moved
run
  at effect 21 folder-unmount odd 12
both-save weekly 18
folder-mount task 19
run
  at effect 9 kill-after power 37225148352907
  at effect 8 remote-save weekly 20
