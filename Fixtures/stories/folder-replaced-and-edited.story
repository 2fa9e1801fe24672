# In another folder an unlike file waits, since nothing says which one is newer.
chance 1
policy ask
both-save dentist 2
both-save gym 3
run
folder-replace
local-save gym 6
run
expect dentist 2 2
expect gym 6 3
expect-conflict gym
