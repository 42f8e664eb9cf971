#!/bin/sh
# sample.sh GOJM FOLDER: runs the sample plan against a mirror server that it
# starts itself, and leaves results, log and dashboard in FOLDER.
set -eu
gojm=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
rm -rf "$2"
mkdir -p "$2"
out=$(cd "$2" && pwd)
cd "$(dirname "$0")"
"$gojm" mirror --port 0 >"$out/mirror.log" 2>&1 &
mirror=$!
trap 'kill $mirror 2>/dev/null || true' EXIT
i=0
until port=$(sed -n 's/.*127\.0\.0\.1:\([0-9][0-9]*\).*/\1/p' "$out/mirror.log" | head -n 1) && [ -n "$port" ]; do
  i=$((i + 1))
  [ $i -lt 100 ] || { echo "the mirror server did not start:" >&2; cat "$out/mirror.log" >&2; exit 1; }
  sleep 0.1
done
"$gojm" -n -t sample.jmx -l "$out/sample.jtl" -j "$out/run.log" -e -o "$out/report" -Jmirror.port="$port"
echo "The dashboard: $out/report/index.html"
