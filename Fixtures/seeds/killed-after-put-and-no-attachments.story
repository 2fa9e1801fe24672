# Seed 13005060: killed after an edit had gone to a server that dropped the attachment of the item
# with it: the attachment left the folder with the next run (SentText.isKeptInPart).
chance 13005061
traits C6.55
policy merge
remote-save flight 5 notes
run
local-save flight 17
run
  at http.PUT 1 kill-after
