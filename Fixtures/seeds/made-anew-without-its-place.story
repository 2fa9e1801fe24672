# Seed 38494942: the folder's version, which took the place away and added a category, went over the
# server's, and the run was killed before it had put that down. Somebody then deleted the item there
# and made it anew. That it has no place counted as a part of what calgw had written, so that the
# missing category counted as dropped by the server, and the sides stayed different.
chance 38494943
policy local
both-save odd 1 alarm
local-overwrite odd 2 words
remote-save odd 4 place
run
  at effect 8 kill
remote-delete odd 7
remote-save odd 8
