# Two files get each other's names while an edit of one of them was refused: it is an edit still,
# whatever the policy, and goes up once it is made anew; the other one stays what it is.
chance 1
policy remote
both-save dentist 2
both-save gym 3
run
local-save dentist 4
run
  at http.PUT 1 C5.20 sticky
local-exchange dentist 5
run
local-save dentist 6
run
expect dentist 6 6
expect gym 3 3
