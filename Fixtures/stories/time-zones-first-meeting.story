# Both sides have the items, with unlike definitions of their time zones, and the journal knows of none.
chance 1
policy ask
both-save flight 2
both-save meeting2 3
remote-zones flight 0
remote-zones meeting2 0
run
expect flight 2 2
expect meeting2 3 3
