# Seed 204093464: an item was deleted on a server whose calendar tag never changes, and edited here. The look
# after the refused write was broken off, and found nothing in the runs after it; each of them left the
# write open, since no listing told of the deletion before the daily one, and said nothing.
chance 204093465
traits C6.30
policy merge
both-save bank 1
run
remote-delete bank 4
local-touch bank 3
run
  at http.PROPFIND 2 C4.4
restore bank 2
run
