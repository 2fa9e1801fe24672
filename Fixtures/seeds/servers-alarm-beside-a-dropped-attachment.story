# Seed 20033345: a server that keeps no attachments, adds an alarm and answers a write with a tag
# that its listings never give: what it made of the write looks like an edit, and the alarm comes
# to the folder where the policy is local (docs/reliability.md).
chance 20033346
traits C6.5 C6.12 C6.55
policy local
both-save meeting 4
remote-delete meeting 7
run
local-overwrite meeting 13
remote-save meeting 14 start
