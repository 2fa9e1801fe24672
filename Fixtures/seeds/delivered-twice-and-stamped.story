# Seed 1163090: each upload of a new item was delivered twice and refused the second time; what the
# server had made of the first was taken for another's, and the run sent it under five names.
chance 1163091
traits C6.11 C6.21
policy merge
both-save gym 3
local-save dentist 7 title
run
  at http.PUT 2 C4.24 sticky
