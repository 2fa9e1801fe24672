# Seed 13181191: killed while it sent the words of the server's edit along with an edit that both
# sides had made. What is there counted as what the server had kept of that, and stayed different.
chance 13181192
policy merge
remote-save bank 5 notes
run
remote-save bank 6 words
run
  at effect 8 both-save bank 8
  at http.PUT 1 kill
