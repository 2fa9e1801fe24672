# Seed 4921285: a person kept both versions of a conflict, and a server that drops extensions cut the
# new item's UID off: what comes back under that UID never had them.
chance 4921286
traits C6.10 C6.42
policy ask
local-save odd 11 alarm
remote-save odd 12 alarm
run
resolve meeting both
