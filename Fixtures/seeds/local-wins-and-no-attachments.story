# After seed 13034504: the folder's version holds, and goes to a server whose listings give no tags
# and which keeps no attachments: it stays in the folder.
chance 13034505
traits C6.8 C6.55
policy local
local-save weekly2 2
run
local-save weekly2 7 start
remote-save weekly2 8 off
