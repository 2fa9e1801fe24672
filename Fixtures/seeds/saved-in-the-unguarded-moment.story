# Seed 3006882: without exchange and links, a file that is saved between the last look and the rename
# is lost (docs/reliability.md). The server had the same text, until a person deleted it there.
chance 3006883
traits C2.33
policy merge
local-save odd 4 place
remote-save odd 5 words
local-save gym 6 start
remote-save gym 7 alarm
run
  at effect 19 both-save gym 9 title
remote-delete gym 12 alarm
