#!/bin/sh
# run.sh GOJM: measures gojm and, where JMETER_HOME (or ~/.cache/jmeter-5.6.3) has
# JMeter 5.6.3, JMeter beside it in the same run. Needs nginx, python3 and
# /usr/bin/time (Debian: nginx-light, time). Loads this machine only.
#
#   REQUESTS  requests of the plain GET plan   (default 200000)
#   USERS     users that hold a connection     (default 10000)
#   ROWS      rows of the report's input       (default 2000000)
set -eu
gojm=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
home=${JMETER_HOME:-$HOME/.cache/jmeter-5.6.3}
dir=$(mktemp -d)
trap 'sh "$here/serve" "$dir/serve" stop 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"

# measure NAME COMMAND...: CPU seconds, wall seconds and peak memory of a command
measure() {
  name=$1; shift
  rm -rf out.jtl report
  /usr/bin/time -o time.txt -f '%U %S %e %M' "$@" >console.txt 2>&1 || { echo "$name failed:"; tail -5 console.txt; exit 1; }
  awk -v n="$name" '{printf "  %-34s cpu %7.2f s   wall %7.2f s   peak %8.1f MB\n", n, $1+$2, $3, $4/1024}' time.txt
}

jmeter=
if [ -f "$home/bin/ApacheJMeter.jar" ]; then
  jmeter="java -Xms256m -Xmx2g --add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/java.text=ALL-UNNAMED -jar $home/bin/ApacheJMeter.jar"
else
  echo "JMeter 5.6.3 is not in $home: gojm alone (testdata/conformance/install-jmeter.sh brings it)"
fi
sh "$here/serve" "$dir/serve"

requests=${REQUESTS:-200000}; loops=$((requests / 50))
echo "plain GET of 1 KiB, 50 users, $requests requests, CSV rows written:"
measure gojm "$gojm" -n -t "$here/get-1k.jmx" -l out.jtl -Jthreads=50 -Jloops=$loops
[ -z "$jmeter" ] || measure JMeter $jmeter -n -t "$here/get-1k.jmx" -l out.jtl -Jthreads=50 -Jloops=$loops

users=${USERS:-10000}
echo "$users users with an open connection each, one request every 10 s:"
measure gojm "$gojm" -n -t "$here/think.jmx" -l out.jtl -Jthreads="$users" -Jramp=20 -Jloops=3
[ -z "$jmeter" ] || measure JMeter $jmeter -n -t "$here/think.jmx" -l out.jtl -Jthreads="$users" -Jramp=20 -Jloops=3

rows=${ROWS:-2000000}
echo "dashboard of $rows rows:"
python3 "$here/gen-jtl" "$rows" >in.jtl
measure "wc -l" wc -l in.jtl
measure gojm "$gojm" -g in.jtl -o report
[ -z "$jmeter" ] || measure JMeter $jmeter -g in.jtl -o report

echo "parts of gojm:"
cd "$here/../.." && go test -run '^$' -bench . -benchmem -benchtime 1s ./jtl ./engine/http/... ./engine/query/... | grep -E '^(Benchmark|pkg:)'
