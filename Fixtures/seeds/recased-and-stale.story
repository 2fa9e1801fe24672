# Seed 7422466: An item was deleted on the server while its file got another name and could not be
# read. Both counted as gone, and when the file could be read the item went up again as a new one.
chance 7422467
policy merge
both-save meeting2 1
run
remote-delete meeting2 17 title
local-recase meeting2 23
run
  at files.read 1 C2.16 sticky
