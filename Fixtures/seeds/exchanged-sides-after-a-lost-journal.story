# Seed 213266516: a version was brought back, the server refused it, and the history was lost: what
# was saved here lies there alone, and what was saved there lies here. Each is the other side's now.
chance 213266517
policy local
remote-save flight 2 title
run
  at any 24 local-save flight 4 start
restore flight 3
  at http.PUT 1 C5.17 sticky
journal-lose flight 5
remote-touch flight 10
