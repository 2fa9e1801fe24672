# Seed 10686970: somebody wrote an item over another one on a server whose tags change with every
# look. What is there under a tag that nobody listed is not believed, and so no second one of its UID
# (docs/reliability.md).
chance 10686971
traits C6.6
policy merge
local-save flight 6 notes
remote-recreate flight 10
run
  at effect 7 both-save flight 18 title
