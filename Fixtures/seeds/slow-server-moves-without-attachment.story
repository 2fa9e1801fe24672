# Seed 20230488: a server that shows changes late says of a moved item that it is gone. It comes
# back as that server has it, without the attachment that it never kept (docs/reliability.md).
chance 20230489
traits C6.22 C6.55
policy merge
local-save task 3
run
remote-move task 6
run
