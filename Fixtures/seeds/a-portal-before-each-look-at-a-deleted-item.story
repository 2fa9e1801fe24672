# Seed 10747462: an item was deleted there, another one took its file's name, and a captive portal
# answered each look at the former: it was named for a day as listed and not there
# (docs/reliability.md).
chance 10747463
policy merge
remote-save dentist 2
run
remote-delete dentist 9
local-recreate dentist 14
run
  at http.GET 1 C4.20 sticky
