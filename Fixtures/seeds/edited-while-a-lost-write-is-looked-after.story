# Seed 225581232: a write was answered as if it had been done and never came to the server, and
# somebody edited the item there while calgw looked for it. What was new in the write is taken for
# what the server left out of it, and stays in the folder alone (docs/reliability.md).
chance 225581233
policy merge
local-save task 1
remote-save weekly 2
run
local-save weekly 4 words
run
  at http.answer 4 remote-save weekly 8 once
  at http.PUT 1 C4.19
