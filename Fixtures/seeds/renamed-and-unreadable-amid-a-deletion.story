# Seed 5164829: a file that was to be deleted for the server got another name, and could not be read
# for the rest of the run: the item was forgotten, and went up again in the next run.
chance 5164830
policy merge
remote-save gym 1
run
remote-delete gym 3
local-recase gym 4
run
  at files.readContent 2 C2.4 sticky
