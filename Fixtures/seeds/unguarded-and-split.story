# Seed 1030322: a server without strong tags made two items of one; that it was written without a
# guard was not told, since the item had another problem by then.
chance 1030323
traits C6.38 C6.2
policy merge
local-save weekly 5 off
remote-save weekly 6 off
local-save weekly 7 once
