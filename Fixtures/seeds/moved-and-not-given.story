# Seed 734207: an item was moved on the server, which failed to give it at its new address: it left the
# folder, although nobody had deleted it.
chance 734208
traits C6.44
policy merge
remote-save odd 2
both-save task 3
remote-save weekly 4
run
remote-save weekly 9 notes
remote-move task 10
run
  at http.GET 2 C5.30
