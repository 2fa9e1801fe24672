# Seed 1460116: the calendar was moved away in the run in which somebody said no.
chance 1460117
traits questions
policy merge
local-save walk 8
run
local-delete walk 16 words
local-save weekly 21
run
  at effect 5 calendar-hide gym 22
