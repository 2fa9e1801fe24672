# Seed 368730: an item that both sides have is at another one's address. It was recorded, the
# deletion of the other one failed, and that came back.
chance 368731
policy merge
remote-recreate flight 4
run
both-save flight 5 notes
run
  at files.renameNoReplace 1 C2.15
