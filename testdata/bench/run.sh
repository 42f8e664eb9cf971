#!/bin/sh
# run.sh GOJM: measures gojm and, where JMETER_HOME (or ~/.cache/jmeter-5.6.3) has
# JMeter 5.6.3, JMeter beside it in the same run. Needs nginx, openssl, python3 and
# /usr/bin/time (Debian: nginx-light, openssl, time). Loads this machine only.
#
#   REQUESTS   requests of the plain GET plan              (default 200000)
#   USERS      users that hold a connection                (default 15000)
#   TLS_USERS  users that hold a connection with TLS       (default 5000)
#   ROWS       rows of the report's input                  (default 2000000)
#   ONLY       the parts to run, of get tls users report parts (default all)
#
# Two other tools make the same requests, where they are there: wrk (Debian), which
# writes no row for each, as the floor; and Artillery (npm), which runs a script for each
# user as k6 does, found in PATH or in ARTILLERY. k6 itself is left out: its licence
# is the AGPL.
set -eu
gojm=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
home=${JMETER_HOME:-$HOME/.cache/jmeter-5.6.3}
dir=$(mktemp -d)
chmod a+rx "$dir" # started by root, nginx serves its files as somebody else
trap 'sh "$here/serve" "$dir/serve" stop 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"

# measure NAME COMMAND...: CPU seconds, wall seconds and peak memory of a command, and
# the latter for each of PER users
measure() {
  name=$1; shift
  rm -rf out.jtl report
  /usr/bin/time -o time.txt -f '%U %S %e %M' "$@" >console.txt 2>&1 || { echo "$name failed:"; tail -5 console.txt; exit 1; }
  awk -v n="$name" -v per="${PER:-0}" '{printf "  %-34s cpu %7.2f s   wall %7.2f s   peak %8.1f MB", n, $1+$2, $3, $4/1024
    if (per) printf "   %6.1f KB a user", $4/per
    print ""}' time.txt
}

# plan WHAT PLAN ARGUMENTS...: gojm, and JMeter beside it, on a plan
plan() {
  what=$1; file=$2; shift 2
  measure "gojm$what" "$gojm" -n -t "$here/$file" -l out.jtl "$@"
  fails
  # shellcheck disable=SC2086
  [ -z "$jmeter" ] || { measure "JMeter$what" $jmeter -n -t "$here/$file" -l out.jtl "$@"; fails; }
}

# fails tells of requests that failed: the figures are then of something else
fails() { awk -F, 'NR > 1 && $8 != "true" {n++} END {if (n) print "  " n " of " NR-1 " requests failed"}' out.jtl; }

wants() { case " ${ONLY:-get tls users report parts} " in *" $1 "*) ;; *) false ;; esac; }

jmeter=
if [ -f "$home/bin/ApacheJMeter.jar" ]; then
  jmeter="java -Xms256m -Xmx2g --add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/java.text=ALL-UNNAMED -jar $home/bin/ApacheJMeter.jar"
else
  echo "JMeter 5.6.3 is not in $home: gojm alone (testdata/conformance/install-jmeter.sh brings it)"
fi
sh "$here/serve" "$dir/serve"

requests=${REQUESTS:-200000}; loops=$((requests / 50))
if wants get; then
  echo "plain GET of 1 KiB, 50 users, $requests requests, CSV rows written:"
  plan "" get-1k.jmx -Jthreads=50 -Jloops=$loops
  if command -v wrk >/dev/null; then
    /usr/bin/time -o time.txt -f '%U %S' wrk -t1 -c50 -d5s http://127.0.0.1:8099/1k.html >console.txt
    awk -v want="$requests" 'FNR == NR {if ($2 == "requests") n = $1; next} {printf "  %-34s cpu %7.2f s   of %d requests in 5 s\n", "wrk, as many requests", ($1+$2) * want/n, n}' console.txt time.txt
  else
    echo "  wrk is not here"
  fi
  artillery=${ARTILLERY:-$(command -v artillery || true)}
  if [ -n "$artillery" ]; then
    some=$((requests / 10)) # it takes its time
    sed "s/@LOOPS@/$((some / 50))/" "$here/artillery.yml.in" >artillery.yml
    export ARTILLERY_DISABLE_TELEMETRY=true
    measure "Artillery, $some requests" "$artillery" run artillery.yml
    grep -q "^http.codes.200: .* $some\$" console.txt || echo "  not all of them succeeded"
  else
    echo "  Artillery is not here (npm install artillery)"
  fi
fi

if wants tls; then
  echo "the same over TLS, a quarter of the requests:"
  plan ", HTTP/1.1" get-1k.jmx -Jthreads=50 -Jloops=$((loops / 4)) -Jscheme=https -Jport=8143
  measure "gojm, HTTP/2" "$gojm" -n -t "$here/get-1k.jmx" -l out.jtl -Jthreads=50 -Jloops=$((loops / 4)) -Jscheme=https -Jport=8143 -Jgojm.http.version=2
  fails
fi

if wants users; then
  PER=${USERS:-15000}
  echo "$PER users with an open connection each, one request every 10 s:"
  plan "" think.jmx -Jthreads="$PER" -Jramp=20 -Jloops=3
  PER=${TLS_USERS:-5000}
  echo "$PER users with an open TLS connection each, one request every 10 s:"
  plan "" think.jmx -Jthreads="$PER" -Jramp=20 -Jloops=3 -Jscheme=https -Jport=8143
  PER=
fi

if wants report; then
  rows=${ROWS:-2000000}
  echo "dashboard of $rows rows:"
  python3 "$here/gen-jtl" "$rows" >in.jtl
  measure "wc -l" wc -l in.jtl
  lines=$(cut -d' ' -f3 time.txt)
  measure gojm "$gojm" -g in.jtl -o report
  awk -v l="$lines" '{printf "  gojm takes %.0f times as long as wc -l\n", $3 / (l > 0 ? l : 0.01)}' time.txt
  "$gojm" convert in.jtl -o in.xml >console.txt 2>&1
  measure "gojm, the same in XML" "$gojm" -g in.xml -o report
  awk -v b="$(wc -c <in.xml)" '{printf "  %.0f MB of XML a second\n", b / 1e6 / $3}' time.txt
  # shellcheck disable=SC2086
  [ -z "$jmeter" ] || measure JMeter $jmeter -g in.jtl -o report
fi

if wants parts; then
  echo "parts of gojm:"
  cd "$here/../.." && go test -run '^$' -bench . -benchmem -benchtime 1s ./jtl ./engine/http/... ./engine/query/... | grep -E '^(Benchmark|pkg:)'
fi
