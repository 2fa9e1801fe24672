# Seed 170135173: the journal was busy when a new file was to be noted, the item is deleted on the server,
# and the file cannot be read once when the next run looks for it. It is no new file, and goes.
chance 170135174
policy merge
remote-save gym 1
remote-save odd 3
run
  at journal.close 1 C3.1
remote-delete odd 7
run
  at http.PUT 1 C5.2 sticky
  at files.read 2 C2.4

