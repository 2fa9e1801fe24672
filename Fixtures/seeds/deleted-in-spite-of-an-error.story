# Seed 4732608: a file was moved aside to be deleted, and the disk said that it had failed. The
# deletion counted as not done, the missing file as a person's deletion, and it went to the server.
chance 4732609
policy local
both-save meeting2 1
run
remote-delete meeting2 5
run
  at files.renameNoReplace 1 C2.35
remote-save meeting2 6
