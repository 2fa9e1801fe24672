# Seed 206107989: a calendar was made anew, and its count was that of the former one: the write of a
# run found that out, and the dry run before it writes nothing (docs/reliability.md).
chance 206107990
traits C6.58
policy merge
local-save choir 1
run
calendar-remake - 0
remote-save choir 5
local-save choir 7
run
