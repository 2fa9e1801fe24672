# Seed 1011129: the calendar is taken away while a proxy gives an earlier answer for it: the
# calendar is there, without the item, which is 404. The file goes, and comes back.
chance 1011130
policy merge
local-save dentist 2
run
calendar-hide meeting2 9
run
  at http.PROPFIND 1 C4.19 sticky
