# Seed 36043597: a first meeting adds an attachment, and a run ends before it has looked at what a
# server that keeps neither attachments nor extensions made of it. What that server leaves out is no
# edit there: the extension stays in the folder.
chance 36043598
traits C6.10 C6.55
policy merge
local-save weekly2 15 words
remote-save weekly2 16 moved
local-save weekly2 17 moved
run
  at http.REPORT 3 C5.4
