# A server gives new items UIDs and addresses of its own, and says neither: what it made of an item is
# named beside it, and the item is not sent again.
chance 1
traits C6.57 C6.15
policy merge
run
local-save gym 1
run
run
local-save gym 2 title
run
