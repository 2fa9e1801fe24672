# Seed 11370762: a server that lets a UID stand in one place took away an item that nobody can read,
# once the folder's new one of that UID was stored (docs/reliability.md).
chance 11370763
traits C6.34
policy merge
remote-control weekly2 6
local-save weekly2 13
journal-lose weekly2 14
