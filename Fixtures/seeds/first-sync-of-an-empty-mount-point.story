# Seed 4472349: a disk was taken out just before the first sync opened the folder. The simulator let
# it open the empty mount point; the program opens the folder that it has listed, or none.
chance 4472350
policy merge
run
  at any 1 folder-unmount task 13
