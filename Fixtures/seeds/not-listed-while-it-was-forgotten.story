# Seed 339940: an item was deleted on the server, and a listing of the folder missed its file. It
# counted as gone from both sides, and the file then went up as a new item.
chance 339941
policy merge
remote-save weekly 8
run
remote-delete weekly 13
run
  at any 11 local-hide weekly 15
