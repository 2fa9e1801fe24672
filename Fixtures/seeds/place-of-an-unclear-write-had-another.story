# Seed 95429727: a write whose outcome nobody knew was found done where another item had been since:
# that one was forgotten before its deletion had come to the folder, and went up again.
chance 95429728
policy merge
remote-save flight 1
both-save choir 2
run
remote-save choir 3 place
remote-delete flight 4
local-save choir 5 notes
run
  at effect 23 kill power 42063644971142
remote-save flight 13 start
remote-break choir 14
run
  at journal.record 1 remote-recreate choir 15
  at files.write 2 both-save choir 16 place
