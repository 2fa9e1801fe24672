# Seed 9561049: somebody saved in place into a file that calgw had just put there, and the power cut
# took back its name: what he saved is under that of a draft, which nobody keeps
# (docs/reliability.md).
chance 9561050
policy merge
local-save task 4 title
remote-save task 5 notes
run
  at effect 13 kill power 106864874257921
  at files.readContent 2 local-overwrite task 8
