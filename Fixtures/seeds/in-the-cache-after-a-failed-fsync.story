# Seed 274635: the folder could not be brought to the disk after a new file was put there. It was
# seen there and recorded as shared; a power cut took it away, and the server's was deleted.
chance 274636
policy merge
remote-save bank 5 notes
run
  at files.syncDirectory 2 C2.6
run
  at files.readContent 1 kill power 132250494464321
