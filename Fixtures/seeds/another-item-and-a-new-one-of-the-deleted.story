# Seed 365823: An item that took the address of another one had a new tag at each look. Taken for
# an answer to another request it was not read, and a new item of its UID was sent beside it.
chance 365824
traits C6.6
policy merge
remote-recreate walk 5
run
remote-delete walk 6 notes
local-save walk 10 words
remote-save walk 11 place
