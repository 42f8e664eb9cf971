#!/bin/sh
# start.sh FOLDER PORT APPPORT: serves a small project of Fossil, a web application
# that keeps all in SQLite, behind nginx on 127.0.0.1:PORT, until it is ended by a
# signal. FOLDER has to be empty. Both programs are Debian packages.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$(cd "$1" && pwd) port=$2 app=$3
export HOME="$dir" USER=admin
PATH=$PATH:/usr/sbin
site=$dir/site.fossil

fossil new --admin-user admin --date-override 2024-01-01T00:00:00 "$site" >"$dir/new.log"
# What would differ from start to start (the cookie is named after the project code)
# and what would change while it runs (the time a page took, in the footer) is fixed.
# With a write-ahead log those who read never find the database locked; somebody has
# to keep it open, or each process that opens it tells on its page what it mended.
# Numbers of pages, which are told in errors, have as many digits whoever writes first.
fossil sql -R "$site" "
  PRAGMA journal_mode=WAL;
  REPLACE INTO config(name, value, mtime) VALUES
    ('project-code', '0123456789abcdef0123456789abcdef01234567', 0),
    ('project-name', 'Garden', 0), ('index-page', '/wiki?name=Garden', 0),
    ('footer', '<div class=\"footer\">Fossil</div>', 0),
    ('backoffice-disable', '1', 0), ('access-log', '0', 0), ('admin-log', '0', 0), ('search-wiki', '1', 0), ('auto-captcha', '0', 0), ('redirect-to-https', '0', 0);
  INSERT INTO blob(rid, rcvid, size, uuid, content) VALUES(1000, 0, -1, '0123456789abcdef0123456789abcdef01234567', NULL);
  UPDATE user SET cap='hjor' WHERE login='nobody';
  UPDATE user SET cap='' WHERE login IN ('anonymous', 'reader', 'developer');" >>"$dir/new.log"
fossil user new ann 'Ann' 'grün & 1+1=2' -R "$site" >>"$dir/new.log"
fossil user new bob 'Bob' 'bobs "word"' -R "$site" >>"$dir/new.log"
fossil user new cid 'Cid' 'cids/word;%41' -R "$site" >>"$dir/new.log"
for user in ann bob cid; do fossil user capabilities $user 23bfhijkmnoprw -R "$site" >>"$dir/new.log"; done
for page in Garden Shed; do
  fossil wiki create "$page" "$here/site/$page.wiki" -M text/x-fossil-wiki --technote-bgcolor '' -R "$site" >>"$dir/new.log"
done
printf 'GIF89a\001\000\001\000\200\000\000\000\200\000\377\377\377\054\000\000\000\000\001\000\001\000\000\002\002\104\001\000\073' >"$dir/leaf.gif"
fossil uv add "$dir/leaf.gif" --as leaf.gif -R "$site" --mtime 2024-01-01T00:00:00 >>"$dir/new.log"
for file in beds.svg frame.html map.html page.css paper.css print.css sheet.css; do
  fossil uv add "$here/site/$file" --as "$file" -R "$site" --mtime 2024-01-01T00:00:00 >>"$dir/new.log"
done

sed -e "s|@DIR@|$dir|g" -e "s|@PORT@|$port|g" -e "s|@APP@|$app|g" "$here/nginx.conf.in" >"$dir/nginx.conf"
mkfifo "$dir/open"
fossil sql -R "$site" <"$dir/open" >"$dir/open.log" &
exec 3>"$dir/open"
echo 'SELECT count(*) FROM config;' >&3
fossil server --localhost --port "$app" --nojail --jsmode separate "$site" >"$dir/fossil.log" 2>&1 3>&- &
fossil=$!
nginx -p "$dir" -c "$dir/nginx.conf" -e "$dir/error.log" 3>&- &
nginx=$!
trap 'exec 3>&-; kill $nginx $fossil 2>/dev/null; wait' EXIT
trap 'exit 0' INT TERM HUP
wait $nginx
