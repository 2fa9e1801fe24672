# Seed 13003539: a server whose tags change with every look dropped the attachment together with
# an edit of the folder, and the attachment left the folder (SentText.isKeptInPart).
chance 13003540
traits C6.6 C6.55
policy merge
remote-save odd 3
run
local-save odd 12 words
