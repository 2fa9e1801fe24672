# The calendar was deleted and made anew at its address, on a server that counts the changes of each
# calendar and takes a token of the former one. The new one has seen more than that had, so that the
# report since the token names its last item alone.
chance 1
traits C6.58
policy merge
both-save dentist 2
both-save gym 3
run
calendar-remake
remote-save lunch 4
remote-save bank 5
remote-save walk 6
run
expect lunch 4 4
expect bank 5 5
expect walk 6 6
