# On a disk that can neither exchange names nor link, somebody saves a file while calgw is about to
# write over it: it looks right before the rename, and merges with what is there by then.
chance 1
traits C2.33
policy merge
both-save dentist 2
run
remote-save dentist 7 title
run
  at files.link 1 local-save dentist 9 notes
expect dentist 7 7
