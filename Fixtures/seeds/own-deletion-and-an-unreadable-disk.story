# Seed 940216: calgw was killed within a deletion that it carried to the folder, and the next run could
# not read what was there: its own deletion counted as a person's, and took what was new by then.
chance 940217
traits questions
policy local
remote-save weekly2 1
remote-save flight 2
run
remote-delete flight 3
remote-delete weekly2 4 moved
run
  at any 55 kill
remote-save flight 7 title
run
  at files.read 2 C2.16 sticky
