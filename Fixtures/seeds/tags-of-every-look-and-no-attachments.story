# After seed 13003539: an edit goes to a server whose tags change with every look, and which never
# kept the attachment of the item: it stays in the folder.
chance 13003540
traits C6.6 C6.55
policy merge
local-save odd 3
run
local-save odd 12 words
