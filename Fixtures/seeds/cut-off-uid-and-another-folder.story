# Seed 209543: a server cut the UID of a new item off, and then the folder was another one: without
# its memory calgw sends the item once more (docs/reliability.md).
chance 209544
traits C6.42
policy ask
both-save meeting2 2
remote-save meeting2 3
run
resolve walk both
folder-unmount walk 7
run
