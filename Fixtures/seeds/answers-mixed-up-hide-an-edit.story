# Seed 81458574: a proxy gives other requests' answers, so that an edit on the server is not seen
# before the look that comes with the deletion; a dry run, which deletes nothing, cannot know.
chance 81458575
policy merge
remote-save meeting2 1
run
local-delete meeting2 4 place
run
  at http.DELETE 1 C4.20 sticky
  at any 19 remote-save meeting2 7 words
  at http.REPORT 1 C4.19 sticky
run
