# Seed 213297818: a server that cuts lines off, and UIDs with them, stores a second item at an address
# of its own without a word: it is known as what was sent, and not sent again.
chance 213297819
traits C6.42 C6.15
policy ask
local-save choir 5 title
remote-save choir 6 title
run
resolve weekly2 both
