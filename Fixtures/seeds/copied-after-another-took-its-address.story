# Seed 76559357: another item takes the address of one on the server, is copied there, and one of
# the two is deleted: that was a duplicate, and the other one stays.
chance 76559358
policy merge
remote-recreate meeting 9
remote-copy meeting 18
remote-delete meeting 22
