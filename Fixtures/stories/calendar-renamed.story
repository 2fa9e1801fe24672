# A calendar that is not where it was is an error and never a deletion.
chance 1
policy merge
both-save dentist 2
run
calendar-hide
run
expect dentist 2 -
expect-failure vanished
