# Seed 65156150: another machine edits an item, and the server leaves the extensions out of what it
# is given. To this machine that is an edit there, which the account did not know.
chance 65156151
traits C6.10
policy merge
both-save weekly 1
run
other-save weekly 3
other-sync weekly 4
