# Seed 433396: the file that had become another item is cut off while calgw looks at it once more.
chance 433397
policy merge
local-save gym 2
run
remote-save dentist 4
local-recreate gym 7
run
  at http.REPORT 2 local-break gym 8
