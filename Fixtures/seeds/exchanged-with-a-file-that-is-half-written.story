# Seed 2079 (29 November): a file that an editor had emptied got another one's name while a run was
# on. What the editor wrote then was in the file under its new name, and the account had it under
# the former one.
chance 2080
policy merge
local-save weekly 2
both-save weekly2 3
local-truncate weekly 4
run
  at any 47 local-exchange weekly2 7
