# The UID in a file was changed, and the server refuses both the deletion and the new item.
chance 3204
traits C6.36
policy merge
both-save bank 2
run
local-recreate bank 37
