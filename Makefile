# gojm: see README.md
