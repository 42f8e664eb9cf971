#!/bin/sh
# Fetches the chart library that package-lock.json pins, checked against the hash
# there, and puts it where the Go code embeds it. Needs npm and gzip. npm works in
# a folder of its own, for all that lies here is embedded.
set -eu
cd "$(dirname "$0")"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp package.json package-lock.json "$tmp"
(cd "$tmp" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
from="$tmp/node_modules/echarts"
mkdir -p echarts
# Its licence asks that its notice goes where it goes: into each page.
{ echo '/*'; cat "$from/NOTICE"; echo '*/'; cat "$from/dist/echarts.min.js"; } | gzip -9nc >echarts/echarts.min.js.gz
