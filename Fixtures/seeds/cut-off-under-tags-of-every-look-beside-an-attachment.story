# Seed 80018653: a server whose tags change with every look cuts texts off and keeps no attachments:
# what it cut off is taken for an edit there, and the attachment stays here.
chance 80018654
traits C6.6 C6.42 C6.55
policy local
local-save meeting 1
run
remote-save meeting 18 title
local-save meeting 19 notes
