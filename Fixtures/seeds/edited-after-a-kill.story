# Seed 2703: killed while an upload was on its way; it arrived, and somebody edited it on the server.
# The edit was taken for what the server had made of the upload, and never came here.
chance 2704
policy merge
local-save dentist 1
both-save meeting 2
local-save gym 5
run
  at any 44 kill-after
remote-save gym 10
