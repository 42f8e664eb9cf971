#!/bin/sh
# Installs what the tests need beside Go and npm: axe-core, a browser for the
# dashboard, real web servers and proxies, a real web application. Debian's packages; on other systems it names what is missing.
set -eu
axe=$(dirname "$0")/../htmlreport/testdata/axe
[ -f "$axe/node_modules/axe-core/axe.min.js" ] ||
  (cd "$axe" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
want=
command -v chromium >/dev/null || want="$want chromium"
command -v nginx >/dev/null || want="$want nginx-light"
command -v openssl >/dev/null || want="$want openssl"
command -v fossil >/dev/null || want="$want fossil"
PATH=$PATH:/usr/sbin # servers that ask who one is
command -v krb5kdc >/dev/null || want="$want krb5-kdc"
command -v kadmin.local >/dev/null || want="$want krb5-admin-server"
command -v kinit >/dev/null || want="$want krb5-user"
command -v apache2 >/dev/null || want="$want apache2-bin"
[ -f /usr/lib/apache2/modules/mod_auth_gssapi.so ] || want="$want libapache2-mod-auth-gssapi"
command -v squid >/dev/null || want="$want squid"
command -v ntlm_auth >/dev/null || want="$want winbind"
[ -n "$want" ] || exit 0
if ! command -v apt-get >/dev/null; then
  echo "the tests need:$want (and apt-get is not here to install them)" >&2
  exit 1
fi
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
$sudo apt-get update -qq
# shellcheck disable=SC2086
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $want
