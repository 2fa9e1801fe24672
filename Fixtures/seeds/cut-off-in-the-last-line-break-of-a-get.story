# Seed 213678758: the answer to a GET is cut off within its last line break, and nobody notices: the
# text is whole, and what the server has.
chance 213678759
policy merge
remote-save weekly 12
remote-save weekly 13 words
run
  at http.REPORT 2 C5.18
  at http.GET 1 C4.16 sticky
