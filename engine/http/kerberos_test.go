package http_test

import (
	"crypto/md5"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// realm is a Kerberos realm of MIT's with a KDC, one more that it trusts, and an
// Apache whose mod_auth_gssapi lets the users of both in.
type realm struct {
	dir             string
	kdc, other, web int // ports
	stopKDC         func()
	env             []string
}

const krb5Conf = `[logging]
	kdc = FILE:%[1]s/kdc.log
[libdefaults]
	default_realm = TEST.EXAMPLE
	dns_lookup_kdc = false
	rdns = false
	forwardable = true
	udp_preference_limit = 1
[realms]
	TEST.EXAMPLE = {
		kdc = 127.0.0.1:%[2]d
	}
	OTHER.EXAMPLE = {
		kdc = 127.0.0.1:%[3]d
	}
[domain_realm]
	localhost = TEST.EXAMPLE
`

const kdcConf = `[kdcdefaults]
	kdc_listen = 127.0.0.1:%[2]d
	kdc_tcp_listen = 127.0.0.1:%[2]d
[realms]
	%[3]s = {
		database_name = %[1]s/principal
		key_stash_file = %[1]s/stash
		acl_file = %[1]s/kadm5.acl
		supported_enctypes = aes256-cts-hmac-sha1-96:normal aes128-cts-hmac-sha1-96:normal
	}
`

const apacheConf = `ServerRoot %[1]s
ServerName localhost
Listen 127.0.0.1:%[2]d
PidFile %[1]s/apache.pid
ErrorLog %[1]s/error.log
User www-data
Group www-data
DocumentRoot %[1]s/docs
LogFormat "%%u %%>s" auth
CustomLog %[1]s/access.log auth
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule authz_user_module /usr/lib/apache2/modules/mod_authz_user.so
LoadModule authn_core_module /usr/lib/apache2/modules/mod_authn_core.so
LoadModule auth_gssapi_module /usr/lib/apache2/modules/mod_auth_gssapi.so
LoadModule authn_file_module /usr/lib/apache2/modules/mod_authn_file.so
LoadModule auth_digest_module /usr/lib/apache2/modules/mod_auth_digest.so
<Location /krb>
	AuthType GSSAPI
	AuthName "K"
	GssapiCredStore keytab:%[1]s/http.keytab
	GssapiDelegCcacheDir %[1]s/delegated
	Require valid-user
</Location>
<Location /digest>
	AuthType Digest
	AuthName "The Realm"
	AuthDigestProvider file
	AuthUserFile %[1]s/digest.pw
	Require valid-user
</Location>
`

func startRealm(t *testing.T) *realm {
	t.Helper()
	dir := serviceDir(t)
	r := &realm{dir: dir, kdc: freePort(t), other: freePort(t), web: freePort(t)}
	writeFiles(t, dir, map[string]string{
		"krb5.conf":      fmt.Sprintf(krb5Conf, dir, r.kdc, r.other),
		"apache.conf":    fmt.Sprintf(apacheConf, dir, r.web),
		"docs/krb/x":     "in",
		"docs/digest/x":  "in",
		"digest.pw":      fmt.Sprintf("ann:The Realm:%x\n", md5.Sum([]byte("ann:The Realm:secret"))),
		"delegated/none": "",
	})
	for _, d := range []string{dir, filepath.Join(dir, "delegated")} {
		if err := os.Chmod(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	r.env = append(os.Environ(), "KRB5_CONFIG="+dir+"/krb5.conf")
	trust := "addprinc -pw shared krbtgt/TEST.EXAMPLE@OTHER.EXAMPLE" // known to both
	r.startKDC(t, "OTHER.EXAMPLE", dir+"/other", r.other, trust, "addprinc +requires_preauth -pw secret carol")
	r.stopKDC = r.startKDC(t, "TEST.EXAMPLE", dir, r.kdc, trust, "addprinc +requires_preauth -pw secret ann", "addprinc -pw secret bob",
		"addprinc -randkey HTTP/localhost", "addprinc -randkey svc/one",
		"ktadd -k "+dir+"/http.keytab HTTP/localhost", "ktadd -k "+dir+"/svc.keytab svc/one")
	if err := os.Chmod(dir+"/http.keytab", 0o644); err != nil {
		t.Fatal(err)
	}
	web := exec.Command(program(t, "apache2"), "-f", dir+"/apache.conf", "-DFOREGROUND")
	web.Env = r.env
	startService(t, web, r.web)
	return r
}

// startKDC makes a realm in dir by kadmin's commands and starts its KDC.
func (r *realm) startKDC(t *testing.T, name, dir string, port int, commands ...string) (stop func()) {
	t.Helper()
	writeFiles(t, r.dir, map[string]string{name: fmt.Sprintf(kdcConf, dir, port, name)})
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	all := r.env
	defer func() { r.env = all }()
	r.env = append(slices.Clip(all), "KRB5_KDC_PROFILE="+filepath.Join(r.dir, name))
	r.run(t, "", "kdb5_util", "create", "-s", "-r", name, "-P", "master")
	for _, c := range commands {
		r.run(t, "", "kadmin.local", "-r", name, "-q", c)
	}
	kdc := exec.Command(program(t, "krb5kdc"), "-n", "-r", name)
	kdc.Env = r.env
	return startService(t, kdc, port)
}

func (r *realm) run(t *testing.T, input, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(program(t, name), args...)
	cmd.Env, cmd.Stdin = r.env, strings.NewReader(input)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v: %s", name, args, err, out)
	}
}

// lines counts those of a log that hold all the texts.
func (r *realm) lines(t *testing.T, log string, texts ...string) int {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(r.dir, log))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	n := 0
line:
	for line := range strings.SplitSeq(string(b), "\n") {
		for _, text := range texts {
			if !strings.Contains(line, text) {
				continue line
			}
		}
		n++
	}
	return n
}

// url is that of the page for users of the realm.
func (r *realm) url(host string) string {
	return "http://" + net.JoinHostPort(host, strconv.Itoa(r.web)) + "/krb/x"
}

// plan asks for it with a row for Kerberos.
func (r *realm) plan(user, password, options string, props map[string]string) plan {
	writeLogin(r.dir, options)
	row := fmt.Sprintf(`<elementProp name="" elementType="Authorization">%s%s%s%s</elementProp>`, str("Authorization.url", "http://"),
		str("Authorization.username", user), str("Authorization.password", password), str("Authorization.mechanism", "KERBEROS"))
	auth := element("AuthManager", "AuthPanel", "a", `<collectionProp name="AuthManager.auth_list">`+row+`</collectionProp>`)
	return plan{loops: 3, body: auth + request("r", "GET", r.url("localhost")), props: props, system: map[string]string{
		"java.security.krb5.conf": r.dir + "/krb5.conf", "java.security.auth.login.config": r.dir + "/jaas.conf", "test.dir": r.dir}}
}

func writeLogin(dir, options string) {
	text := "JMeter { com.sun.security.auth.module.Krb5LoginModule required " + options + ";};\n"
	if err := os.WriteFile(dir+"/jaas.conf", []byte(text), 0o644); err != nil {
		panic(err)
	}
}

// The codes and the number of requests are those that JMeter came to at the same
// server.
func TestKerberos(t *testing.T) {
	r := startRealm(t)
	t.Setenv("KRB5CCNAME", r.dir+"/none")
	r.run(t, "secret\n", "kinit", "-c", r.dir+"/cache", "bob")
	before := func() [4]int {
		return [4]int{r.lines(t, "access.log", ""), r.lines(t, "access.log", " 200"), r.lines(t, "kdc.log", "AS_REQ", "ISSUE"), r.lines(t, "kdc.log", "TGS_REQ", "ISSUE")}
	}
	for _, c := range []struct {
		name                    string
		user, password, options string
		props                   map[string]string
		host                    string
		code, as                string // who the server saw
		logins, tickets         int    // that the KDC gave in three iterations
	}{
		{name: "password", user: "ann", password: "secret", code: "200", as: "ann@TEST.EXAMPLE", logins: 1, tickets: 1},
		{name: "user with a realm", user: "ann@TEST.EXAMPLE", password: "secret", code: "200", as: "ann@TEST.EXAMPLE", logins: 1, tickets: 1},
		{name: "user of another realm", user: "carol@OTHER.EXAMPLE", password: "secret", code: "200", as: "carol@OTHER.EXAMPLE", logins: 1, tickets: 2},
		{name: "wrong password in another realm", user: "carol@OTHER.EXAMPLE", password: "wrong", code: "401"},
		{name: "user of the wrong realm", user: "carol", password: "secret", code: "401"},
		{name: "wrong password", user: "ann", password: "wrong", code: "401"},
		{name: "nobody", user: "nobody", password: "secret", code: "401"},
		{name: "principal of the configuration", user: "ann", password: "secret", options: `principal="bob"`, code: "200", as: "bob@TEST.EXAMPLE", logins: 1, tickets: 1},
		{name: "keytab", options: `useKeyTab=true keyTab="${test.dir}/svc.keytab" principal="svc/one" doNotPrompt=true`, code: "200", as: "svc/one@TEST.EXAMPLE", logins: 1, tickets: 1},
		{name: "keytab without the key", user: "ann", password: "secret", options: `useKeyTab=true keyTab="${test.dir}/svc.keytab"`, code: "200", as: "ann@TEST.EXAMPLE", logins: 1, tickets: 1},
		{name: "ticket cache", user: "ann", options: `useTicketCache=true ticketCache="${test.dir}/cache"`, code: "200", as: "bob@TEST.EXAMPLE", tickets: 1},
		{name: "no ticket cache", user: "ann", password: "secret", options: `useTicketCache=true`, code: "200", as: "ann@TEST.EXAMPLE", logins: 1, tickets: 1},
		{name: "asking nobody", user: "ann", password: "secret", options: `doNotPrompt=true`, code: "401"},
		{name: "port in the name", user: "ann", password: "secret", props: map[string]string{"kerberos.spnego.strip_port": "false"}, code: "401", logins: 1},
		{name: "address", user: "ann", password: "secret", host: "127.0.0.1", code: "200", as: "ann@TEST.EXAMPLE", logins: 1, tickets: 1},
		{name: "address as it stands", user: "ann", password: "secret", host: "127.0.0.1", props: map[string]string{"kerberos.spnego.use_canonical_host_name": "false"}, code: "401", logins: 1},
		{name: "another application", user: "ann", password: "secret", props: map[string]string{"kerberos_jaas_application": "Other"}, code: "401"},
	} {
		t.Run(c.name, func(t *testing.T) {
			was := before()
			seen := r.lines(t, "access.log", c.as+" 200")
			p := r.plan(c.user, c.password, c.options, c.props)
			if c.host != "" {
				p.body = strings.ReplaceAll(p.body, r.url("localhost"), r.url(c.host))
			}
			for i, row := range p.run(t) {
				if row["responseCode"] != c.code {
					t.Errorf("row %d: %v, want %s", i, row, c.code)
				}
			}
			want := [4]int{was[0] + 6, was[1], was[2] + c.logins, was[3] + c.tickets} // each sample is asked for its ticket anew
			if c.code == "200" {
				want[1] += 3
			}
			now := eventually(before, want)
			for i := range want {
				if now[i] != want[i] {
					t.Errorf("%s: %d, want %d", []string{"requests", "let in", "logins", "tickets"}[i], now[i]-was[i], want[i]-was[i])
				}
			}
			if n := r.lines(t, "access.log", c.as+" 200") - seen; c.code == "200" && n != 3 {
				t.Errorf("%d requests as %s, want 3", n, c.as)
			}
		})
	}

	t.Run("new login in each iteration", func(t *testing.T) {
		was := before()
		p := r.plan("ann", "secret", "", nil)
		p.body = strings.Replace(p.body, "</AuthManager>", boolean("AuthManager.clearEachIteration", true)+"</AuthManager>", 1)
		p.run(t)
		if now := eventually(before, [4]int{was[0] + 6, was[1] + 3, was[2] + 3, was[3] + 3}); now[2]-was[2] != 3 || now[3]-was[3] != 3 {
			t.Errorf("logins and tickets %v, before %v", now[2:], was[2:])
		}
	})
	t.Run("delegated", func(t *testing.T) {
		p := r.plan("ann", "secret", "", map[string]string{"kerberos.spnego.delegate_cred": "true"})
		if rows := p.run(t); rows[0]["responseCode"] != "200" {
			t.Fatal(rows[0])
		}
		if err := os.Chmod(r.dir+"/delegated/ann@TEST.EXAMPLE", 0o600); err != nil {
			t.Fatal("the server got no ticket: ", err)
		}
		r.run(t, "", "kvno", "-c", r.dir+"/delegated/ann@TEST.EXAMPLE", "HTTP/localhost") // and can use it
	})
	t.Run("configuration in properties", func(t *testing.T) {
		p := r.plan("ann", "secret", "", nil)
		p.system["java.security.krb5.conf"] = ""
		p.system["java.security.krb5.realm"], p.system["java.security.krb5.kdc"] = "TEST.EXAMPLE", "localhost"
		if rows := p.run(t); rows[0]["responseCode"] != "401" { // nobody listens on Kerberos' own port
			t.Error(rows[0])
		}
	})
	t.Run("KDC gone", func(t *testing.T) {
		r.stopKDC()
		for _, row := range r.plan("ann", "secret", "", nil).run(t) {
			if row["responseCode"] != "401" {
				t.Error(row)
			}
		}
	})
}

// A server whose Digest nobody here wrote.
func TestDigestOfApache(t *testing.T) {
	r := startRealm(t)
	for _, c := range []struct {
		user, password, realm, mechanism, code string
		requests                               int
	}{
		{"ann", "secret", "", "DIGEST", "200", 2},
		{"ann", "secret", "", "BASIC", "200", 2},
		{"ann", "secret", "The Realm", "DIGEST", "200", 2},
		{"ann", "secret", "Other", "DIGEST", "401", 1},
		{"ann", "wrong", "", "DIGEST", "401", 2},
	} {
		was := r.lines(t, "access.log", "")
		row := fmt.Sprintf(`<elementProp name="" elementType="Authorization">%s%s%s%s%s</elementProp>`, str("Authorization.url", "http://"),
			str("Authorization.username", c.user), str("Authorization.password", c.password), str("Authorization.realm", c.realm), str("Authorization.mechanism", c.mechanism))
		auth := element("AuthManager", "AuthPanel", "a", `<collectionProp name="AuthManager.auth_list">`+row+`</collectionProp>`)
		url := strings.Replace(r.url("localhost"), "/krb/x", "/digest/x?a=b%20c", 1)
		rows := plan{body: auth + request("r", "GET", url)}.run(t)
		if n := eventually(func() int { return r.lines(t, "access.log", "") - was }, c.requests); rows[0]["responseCode"] != c.code || n != c.requests {
			t.Errorf("%+v: %d requests, %v", c, n, rows[0])
		}
	}
}
