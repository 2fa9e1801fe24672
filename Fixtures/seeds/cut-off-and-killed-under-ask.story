# Seed 1177809: killed before the answer to an edit that the server had cut off; under ask a person is
# asked, since that may be another's edit.
chance 1177810
traits C6.42
policy ask
both-save task 1
run
local-overwrite task 2 notes
remote-save odd 7 place
run
  at http.answer 4 kill
