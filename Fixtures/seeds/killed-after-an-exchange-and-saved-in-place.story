# Seed 8728631: calgw was killed between the exchange of two files and the writing of the folder,
# somebody saved in place into what it had put there, and the next run met a power cut.
chance 8728632
policy merge
both-save task 1
run
local-save task 6 title
remote-save task 7 place
run
  at any 57 kill
local-overwrite task 9 progress
run
  at any 14 kill-after power 31960876814759
