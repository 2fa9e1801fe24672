# Seed 161801835: what another program put on the server, with an extension, is touched here, and the
# run killed: the server had dropped the extension and added an alarm. Neither is anybody's edit.
chance 161801836
traits C6.10 C6.12
policy merge
remote-save odd 2
run
remote-save odd 6
local-touch odd 5
run
  at effect 18 kill-after

