# Seed 50115403: a save below a mount point went to the server, the disk was mounted over it, and
# somebody saved over it on the server. What had been saved there before lay in the history alone,
# and the account took that for what the person gave up.
chance 50115404
policy merge
both-save bank 1
folder-unmount gym 7
run
remote-save gym 9 title
local-save bank 10 words
run
  at journal.begin 2 folder-mount gym 12
remote-save bank 13
