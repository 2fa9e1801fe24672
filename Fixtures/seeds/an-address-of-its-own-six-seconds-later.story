# Seed 10708689: the server stores an item at an address of its own, three seconds later, and shows it
# another three seconds later: by then the next run has sent it once more (docs/reliability.md).
chance 10708690
traits C6.14 C6.30 C6.54
policy merge
local-save odd 1
