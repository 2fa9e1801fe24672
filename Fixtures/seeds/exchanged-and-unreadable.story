# Seed 215694005: two files exchanged their names, and one of them could not be read from then on. Its
# former item was found under the other name, and the one that was in it now was taken for deleted.
chance 215694006
policy merge
local-save choir 1
both-save walk 2
run
local-exchange walk 4
run
  at files.read 4 C2.10 sticky

