# Seed 7675: a server that cuts lines off cut the UID of a new item, too. It did not count as stored,
# and each run sent one more of it.
chance 7676
traits C6.42
policy ask
remote-save task 7 title
local-save task 8 place
run
resolve task both
