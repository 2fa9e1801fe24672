# Seed 662182: the first look at an item that was moved on the server was answered with another one's
# text: it left the folder, and came back in the next run. No client can know better.
chance 662183
traits C6.44
policy merge
both-save dentist 1
remote-save gym 2
run
remote-move dentist 4
run
  at http.GET 1 C4.19
