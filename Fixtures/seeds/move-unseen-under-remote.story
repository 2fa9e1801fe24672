# Seed 39080027: a server that shows changes late says of a moved item that it is gone, and by the
# policy so is the edit here. The item comes back as that server has it; the edit is in the history
# (docs/reliability.md).
chance 39080028
traits C6.22
policy remote
local-save gym 1
run
local-save gym 5 alarm
remote-move gym 6
