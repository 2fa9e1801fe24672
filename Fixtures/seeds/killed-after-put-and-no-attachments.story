# After seed 13005060: killed after an edit had gone to a server that never kept the attachment of
# the item: it stays in the folder.
chance 13005061
traits C6.55
policy merge
local-save flight 5 notes
run
local-save flight 17
run
  at http.PUT 1 kill-after
