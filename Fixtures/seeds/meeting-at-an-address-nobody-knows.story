# Seed 38273913: a server that chooses the address, does not say which, carries a write out seconds
# later, and whose calendar's tag never changes: the meeting does not show in time, and is sent once
# more, with its mail (docs/reliability.md).
chance 38273914
traits C6.14 C6.30 C6.54
policy merge
local-save meeting 4 start
run
run
