# Seed 600312: while a merge was uploaded, the same alarm came to both sides. There it counted as
# what the server had made of the upload, and the next run sent what was there already.
chance 600313
policy merge
remote-save bank 1
run
remote-save bank 2 alarm
local-save bank 3
run
  at any 63 both-save bank 4 alarm
