# Seed 8790682: a new item was delivered twice, the answer was 412, and the look that was to tell why
# was led to another server: nothing said that it had arrived, and the next edit was a conflict.
chance 8790683
policy merge
local-save walk 4 alarm
run
  at http.PUT 1 C4.24
  at http.GET 1 C5.2 sticky
local-save walk 9 start
