# Seed 20323902: nobody can read the item there when the folder's own of that UID goes up beside it.
# Who deletes the unreadable one deletes one of two (docs/reliability.md).
chance 20323903
policy merge
both-save bank 1
remote-control bank 9
run
remote-delete bank 11 alarm
