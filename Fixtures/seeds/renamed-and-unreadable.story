# Seed 128302: a file got another name and could not be read under it, so that its item seemed
# deleted, and went from the server.
chance 128303
policy merge
local-save choir 2
run
local-rename choir 6
run
  at files.read 1 C2.17 sticky
