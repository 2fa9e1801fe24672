# Seed 13045343: a new item went to a server that keeps no attachments, calgw was killed before it
# looked, and somebody moved the item there: the attachment left the folder with that edit.
chance 13045344
traits C6.55
policy merge
local-save gym 7 place
run
  at http.answer 4 kill power 88269280133978
remote-save gym 12 start
