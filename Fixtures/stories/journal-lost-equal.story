# Without its journal a sync of equal sides deletes nothing and changes nothing.
chance 1
policy ask
both-save dentist 2
both-save gym 3
run
journal-lose
run
expect dentist 2 2
expect gym 3 3
