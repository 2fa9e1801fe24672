# Seed 1046310: an item was deleted, and written anew and broken over another one; its deletion waited
# without a word.
chance 1046311
policy merge
remote-save weekly2 9 rule
local-recreate weekly2 12
run
local-delete weekly2 16 start
local-break weekly2 19
