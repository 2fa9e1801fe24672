# Seed 1045172: an item was broken and saved over another one while a run was on; the file was named
# as that one's alone, and the item itself, which waited for it, was not.
chance 1045173
policy merge
remote-save flight 17
remote-save meeting 18 start
remote-save meeting2 19
local-recreate flight 21
run
  at any 76 local-break flight 23
