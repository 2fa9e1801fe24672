# Seed 32339801: an item was moved on a server whose calendar tag never changes, and deleted here:
# the deletion is answered by 404. Made anew here, it meets the moved one in the listing of the
# next day.
chance 32339802
traits C6.30
policy ask
both-save walk 1
run
local-delete walk 4 words
remote-move walk 8
run
run
  at effect 1 local-save walk 10 notes
