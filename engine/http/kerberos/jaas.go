package kerberos

import (
	"errors"
	"fmt"
	"strings"
)

// loginModule is one entry of a JAAS login configuration, the file that the
// system property java.security.auth.login.config names.
type loginModule struct {
	class   string
	options map[string]string
}

// readLoginModules reads the modules of an application (Java: class
// javax.security.auth.login.Configuration). Where it has no entry that of
// "other" counts. system gives the values that ${name} stands for.
func readLoginModules(text, application string, system func(name string) (string, bool)) ([]loginModule, error) {
	r := jaasReader{rest: text, line: 1}
	entries := map[string][]loginModule{}
	for {
		name, err := r.next()
		if err != nil {
			return nil, err
		}
		if name == "" {
			break
		}
		if err := r.expect("{"); err != nil {
			return nil, err
		}
		var list []loginModule
		for {
			m, ok, err := r.module(system)
			if err != nil {
				return nil, err
			}
			if !ok {
				break
			}
			list = append(list, m)
		}
		if err := r.expect(";"); err != nil {
			return nil, err
		}
		if _, twice := entries[name]; twice {
			return nil, fmt.Errorf("line %d: more than one entry for %s", r.line, name)
		}
		entries[name] = list
	}
	list := entries[application]
	if list == nil {
		list = entries["other"]
	}
	if len(list) == 0 {
		return nil, errors.New("No LoginModules configured for " + application)
	}
	return list, nil
}

// jaasReader reads words, quoted ones too, and the marks { } ; =.
type jaasReader struct {
	rest string
	line int
}

// module reads "class flag name=value ... ;"; false at the end of the entry.
func (r *jaasReader) module(system func(string) (string, bool)) (m loginModule, ok bool, err error) {
	if m.class, err = r.next(); err != nil || m.class == "}" {
		return m, false, err
	}
	flag, err := r.next()
	if err != nil {
		return m, false, err
	}
	switch strings.ToLower(flag) {
	case "required", "requisite", "sufficient", "optional":
	default:
		return m, false, fmt.Errorf("line %d: %q is no control flag", r.line, flag)
	}
	m.options = map[string]string{}
	for {
		name, err := r.next()
		switch {
		case err != nil:
			return m, false, err
		case name == ";":
			return m, true, nil
		case name == "" || name == "}":
			return m, false, fmt.Errorf("line %d: expected ;", r.line)
		}
		if err := r.expect("="); err != nil {
			return m, false, err
		}
		value, err := r.next()
		if err != nil {
			return m, false, err
		}
		if m.options[name], err = expandProperties(value, system); err != nil {
			return m, false, fmt.Errorf("line %d: %w", r.line, err)
		}
	}
}

func (r *jaasReader) expect(mark string) error {
	got, err := r.next()
	if err == nil && got != mark {
		err = fmt.Errorf("line %d: expected %s, found %q", r.line, mark, got)
	}
	return err
}

// next returns a word or a mark, "" at the end.
func (r *jaasReader) next() (string, error) {
	for r.rest != "" {
		switch c := r.rest[0]; {
		case c == '\n':
			r.line++
			r.rest = r.rest[1:]
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			r.rest = r.rest[1:]
		case strings.HasPrefix(r.rest, "//") || c == '#':
			_, r.rest, _ = strings.Cut(r.rest, "\n")
			r.line++
		case strings.HasPrefix(r.rest, "/*"):
			comment, rest, ok := strings.Cut(r.rest[2:], "*/")
			if !ok {
				return "", fmt.Errorf("line %d: comment without an end", r.line)
			}
			r.line += strings.Count(comment, "\n")
			r.rest = rest
		case c == '"' || c == '\'':
			end := strings.IndexByte(r.rest[1:], c)
			if end < 0 {
				return "", fmt.Errorf("line %d: quote without an end", r.line)
			}
			word := r.rest[1 : end+1]
			r.rest = r.rest[end+2:]
			return word, nil
		case strings.IndexByte("{};=", c) >= 0:
			r.rest = r.rest[1:]
			return string(c), nil
		default:
			end := strings.IndexAny(r.rest, " \t\r\n\f{};=\"'")
			if strings.HasPrefix(r.rest, "${") { // braces of a property are no marks
				if close := strings.IndexByte(r.rest, '}'); close >= 0 {
					end = close + 1 + max(0, strings.IndexAny(r.rest[close+1:]+";", " \t\r\n\f{};=\"'"))
				}
			}
			if end < 0 {
				end = len(r.rest)
			}
			word := r.rest[:end]
			r.rest = r.rest[end:]
			return word, nil
		}
	}
	return "", nil
}

// expandProperties puts system properties in place of ${name}.
func expandProperties(s string, system func(string) (string, bool)) (string, error) {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "${")
		b.WriteString(before)
		if !ok {
			return b.String(), nil
		}
		name, after, ok := strings.Cut(rest, "}")
		if !ok {
			b.WriteString("${" + rest)
			return b.String(), nil
		}
		value := "/"
		if name != "/" { // ${/} parts the names of folders
			if value, ok = system(name); !ok {
				return "", fmt.Errorf("unable to expand %s", name)
			}
		}
		b.WriteString(value)
		s = after
	}
}
