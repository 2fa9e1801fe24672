# Seed 543068: a server listed an item and answered 404 for it, so that it seemed deleted, and went
# from the folder.
chance 543069
traits C6.44
policy merge
remote-save weekly2 9 title
run
remote-save weekly 10
remote-save weekly2 11 start
run
  at http.GET 2 C5.13 sticky
