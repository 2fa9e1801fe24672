# Seed 200300497: a folder is empty but for one new item, and the server shows late what it was sent. The
# new item is stored first, is shared then, and so what went was all but one: it was deleted.
chance 200300498
traits C6.22
policy merge
remote-save meeting2 1
both-save bank 2
both-save dentist 3
local-save gym 4
run
folder-restore dentist 8
remote-save meeting2 9 words
local-save meeting2 10 place
run
