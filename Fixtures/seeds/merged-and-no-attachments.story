# Seed 13046064: a merge goes to a server whose tags change with every look, and which keeps no
# attachments: the attachment is nobody's to take away.
chance 13046065
traits C6.6 C6.55
policy merge
local-save bank 6 words
local-save bank 9 alarm
remote-save bank 10 notes
run
local-delete bank 14
local-save bank 18 place
remote-save bank 19 place
