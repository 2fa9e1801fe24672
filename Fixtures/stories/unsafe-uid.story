# A UID that is no file name travels both ways.
chance 1
policy merge
remote-save odd 2
run
local-save odd 3
run
expect od/d:1@ex ample 3 3
