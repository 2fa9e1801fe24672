# The server writes the definitions of all items anew, without an edit of any: nothing is written.
chance 1
policy merge
both-save flight 2
both-save flight2 3
both-save meeting2 6
run
remote-zones flight 0
remote-zones flight2 0
remote-zones meeting2 0
run
expect flight 2 2
expect flight2 3 3
expect meeting2 6 6
