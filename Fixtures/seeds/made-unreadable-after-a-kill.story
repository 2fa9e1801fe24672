# Seed 202193820: calgw was killed after it had sent an item, and somebody made it unreadable on the server
# before the next run. That was told as not clear, and nothing said what is wrong there.
chance 202193821
policy merge
local-save task 2 place
run
  at any 43 kill
remote-control task 10
