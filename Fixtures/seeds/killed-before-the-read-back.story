# Seed 62: killed between an upload and the look at what the server made of it. The server's own text
# was never seen, and the next edit replaced it without a trace.
chance 63
traits C6.11
policy merge
local-save meeting 6
run
  at journal.close 1 kill-after power 11052964389879
local-save meeting 14
