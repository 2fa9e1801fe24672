# Seed 13034504: the folder's version holds, and the server, whose listings give no tags, dropped
# the attachment of it: that was taken for an edit there.
chance 13034505
traits C6.8 C6.55
policy local
remote-save weekly2 2
run
local-save weekly2 7 start
remote-save weekly2 8 off
