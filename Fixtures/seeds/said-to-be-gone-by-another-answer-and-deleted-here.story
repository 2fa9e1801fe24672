# Seed 7659544: another request's answer said that a resource was gone, calgw sent the file's text to
# another address, and the file was deleted meanwhile: what calgw had sent goes, the other one stays.
chance 7659545
policy merge
local-save dentist 5 notes
remote-save dentist 6 start
local-save bank 8 place
remote-save bank 9 words
run
  at files.read 2 kill
run
  at any 13 remote-control walk 15
  at http.GET 2 C4.19
  at effect 6 local-delete bank 16 start
