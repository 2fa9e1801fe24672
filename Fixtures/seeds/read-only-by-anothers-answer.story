# Seed 7029129: A calendar says in each look at it that it is read-only, and something on the way gave
# the answers to other looks. What that run sent was refused.
chance 7029130
traits C6.43 C6.20
policy merge
remote-save gym 3
run
folder-replace gym 6
run
  at http.PROPFIND 1 C4.19 sticky
