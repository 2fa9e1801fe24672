# Seed 164962: an item was deleted on the server, and its file got another name while the folder was
# read. It counted as gone from both sides, and the file then went up as a new item.
chance 164963
policy merge
remote-save meeting2 3
run
remote-delete meeting2 4
run
  at files.read 1 local-rename meeting2 7
