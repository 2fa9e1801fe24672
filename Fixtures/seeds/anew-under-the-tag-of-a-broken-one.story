# Seed 20311735: a broken item is deleted there and made again under its tag, which the listing of
# everything gives: its address is still named as that of the broken one (docs/reliability.md).
chance 20311736
traits C6.25 C6.53
policy merge
remote-break weekly2 5
run
remote-delete weekly2 6 once
remote-save weekly 10 once
local-save weekly2 11 off
remote-save weekly2 12 start
run
  at http.DELETE 1 remote-save weekly 14
