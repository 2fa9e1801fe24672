# Seed 151005042: a meeting was touched here, and the server has it without its time zone's definition.
# A touch goes to no server that may send mail.
chance 151005043
traits C6.51 C6.21
policy merge
both-save meeting2 3
run
remote-delete meeting2 6
local-touch meeting2 5
