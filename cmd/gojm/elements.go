package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/jmx"
)

// elementsCommand is `gojm elements`: what is supported, from the declarations
// themselves.
func elementsCommand(std stdio) *cobra.Command {
	var asJSON, markdown bool
	var readme string
	cmd := &cobra.Command{
		Use:   "elements",
		Short: "List all elements and functions of JMeter and how far they are supported",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			s := supportOf()
			switch {
			case readme != "":
				return s.rewrite(readme)
			case asJSON:
				enc := json.NewEncoder(std.out)
				enc.SetIndent("", "  ")
				return enc.Encode(s)
			case markdown:
				_, err := fmt.Fprint(std.out, s.elementsMarkdown()+"\n"+s.functionsMarkdown())
				return err
			}
			return s.print(std.out)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print Markdown tables")
	cmd.Flags().StringVar(&readme, "readme", "", "write the tables into this file, between its markers")
	cmd.MarkFlagsMutuallyExclusive("json", "markdown", "readme")
	return cmd
}

// support is the whole of what gojm can and cannot do.
type support struct {
	Elements  []elementSupport  `json:"elements"`
	Functions []functionSupport `json:"functions"`
}

type elementSupport struct {
	Kind   elem.Kind   `json:"kind"`
	Title  string      `json:"title"`
	Class  string      `json:"class"`
	GUI    string      `json:"guiclass,omitempty"` // tells elements of one class apart
	Status elem.Status `json:"status"`
	Note   string      `json:"note,omitempty"`
}

type functionSupport struct {
	Name   string      `json:"name"`
	Args   string      `json:"args,omitempty"`
	Title  string      `json:"title,omitempty"`
	Status elem.Status `json:"status"`
	Plugin bool        `json:"plugin,omitempty"` // JMeter itself does not have it
}

// kinds are in the order of JMeter's menu.
var kinds = []elem.Kind{elem.KindPlan, elem.KindGroup, elem.KindController, elem.KindSampler, elem.KindConfig, elem.KindTimer,
	elem.KindPre, elem.KindPost, elem.KindAssertion, elem.KindListener, elem.KindOther}

func supportOf() support {
	var s support
	declared := map[string]bool{progressClass: true}
	for _, c := range jmx.Classes() {
		if c.Inner {
			declared[c.Alias] = true // parts of others, which have no row
		}
	}
	for _, spec := range elem.Specs() {
		if !declared[spec.Class] || spec.GUI != "" {
			s.Elements = append(s.Elements, elementSupport{spec.Kind, spec.Title, spec.Class, spec.GUI, spec.Status, spec.Note})
		}
	}
	for _, e := range s.Elements {
		declared[e.Class] = true
	}
	for _, c := range jmx.Classes() {
		if !declared[c.Alias] {
			s.Elements = append(s.Elements, elementSupport{Kind: kindOf(c), Title: titleOf(c.Alias), Class: c.Alias, Status: elem.None})
		}
	}
	slices.SortStableFunc(s.Elements, func(a, b elementSupport) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)),
			cmp.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title)), cmp.Compare(a.Class, b.Class))
	})
	for _, f := range expr.Functions() {
		s.Functions = append(s.Functions, functionSupport{f.Name, f.Args, f.Title, elem.Full, f.Plugin})
	}
	for _, name := range jmeterFunctions {
		if expr.Lookup(name) == nil {
			s.Functions = append(s.Functions, functionSupport{Name: name, Status: elem.None})
		}
	}
	slices.SortFunc(s.Functions, func(a, b functionSupport) int {
		return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return s
}

// jmeterFunctions are those that JMeter 5.6.3 ships.
var jmeterFunctions = strings.Fields(`__BeanShell __char __changeCase __counter __CSVRead __dateTimeConvert __digest
	__escapeHtml __escapeOroRegexpChars __escapeXml __eval __evalVar __FileToString __groovy __intSum __isPropDefined
	__isVarDefined __javaScript __jexl2 __jexl3 __log __logn __longSum __machineIP __machineName __P __property __Random
	__RandomDate __RandomFromMultipleVars __RandomString __regexFunction __samplerName __setProperty __split
	__StringFromFile __StringToFile __TestPlanName __threadGroupName __threadNum __time __timeShift __unescape
	__unescapeHtml __urldecode __urlencode __UUID __V __XPath`)

// kindOf guesses the kind of an element that nobody declared, from its package.
func kindOf(c jmx.ClassInfo) elem.Kind {
	pack := c.Full[:strings.LastIndexByte(c.Full, '.')]
	has := func(part string) bool { return strings.Contains(pack+".", "."+part+".") }
	switch {
	case strings.HasSuffix(c.Alias, "Sampler") || strings.HasSuffix(c.Alias, "Sampler_"):
		return elem.KindSampler
	case strings.HasSuffix(c.Alias, "PreProcessor") || has("modifiers") || has("modifier"):
		return elem.KindPre
	case strings.HasSuffix(c.Alias, "PostProcessor") || has("extractor") || c.Alias == "ResultAction":
		return elem.KindPost
	case has("assertions"):
		return elem.KindAssertion
	case has("timers"):
		return elem.KindTimer
	case has("threads"):
		return elem.KindGroup
	case c.Alias == "HttpMirrorControl" || has("proxy") || has("testelement"):
		return elem.KindOther
	case strings.HasPrefix(c.Full, "org.apache.jmeter.control."):
		return elem.KindController
	case has("visualizers") || has("reporters"):
		return elem.KindListener
	case has("sampler"):
		return elem.KindSampler
	}
	return elem.KindConfig
}

// titles are JMeter's English names of elements that nobody declared, where they
// are not the words of the class.
var titles = map[string]string{
	"AjpSampler":            "AJP/1.3 Sampler",
	"BoltConnectionElement": "Bolt Connection Configuration",
	"BoltSampler":           "Bolt Request",
	"FTPSampler":            "FTP Request",
	"JDBCDataSource":        "JDBC Connection Configuration",
	"JDBCSampler":           "JDBC Request",
	"JMSSampler":            "JMS Point-to-Point",
	"JUnitSampler":          "JUnit Request",
	"LDAPExtSampler":        "LDAP Extended Request",
	"LDAPSampler":           "LDAP Request",
	"MailerResultCollector": "Mailer Visualizer",
	"MongoScriptSampler":    "MongoDB Script",
	"MongoSourceElement":    "MongoDB Source Config",
	"PublisherSampler":      "JMS Publisher",
	"SmtpSampler":           "SMTP Sampler",
	"SubscriberSampler":     "JMS Subscriber",
	"SystemSampler":         "OS Process Sampler",
}

func titleOf(class string) string {
	if t, ok := titles[class]; ok {
		return t
	}
	var b strings.Builder
	letters := []rune(class)
	for i, r := range letters {
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1])) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// print writes the tables for people.
func (s support) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	var kind elem.Kind
	for _, e := range s.Elements {
		if e.Kind != kind {
			kind = e.Kind
			fmt.Fprintf(t, "%s\n", strings.ToUpper(string(kind)))
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\n", e.Title, e.className(), e.support())
	}
	fmt.Fprintln(t, "FUNCTION")
	for _, f := range s.Functions {
		fmt.Fprintf(t, "  %s\t%s\t%s\n", f.call(), f.support(), f.Title)
	}
	return t.Flush()
}

func (e elementSupport) className() string {
	if e.GUI != "" {
		return e.Class + " (" + e.GUI + ")"
	}
	return e.Class
}

func (e elementSupport) support() string {
	if e.Note == "" {
		return string(e.Status)
	}
	return string(e.Status) + ": " + e.Note
}

func (f functionSupport) call() string {
	if f.Args == "" {
		return f.Name
	}
	return f.Name + "(" + f.Args + ")"
}

func (f functionSupport) support() string {
	if f.Plugin {
		return string(f.Status) + " (of plug-ins)"
	}
	return string(f.Status)
}

func (s support) elementsMarkdown() string {
	var b strings.Builder
	b.WriteString("| | Element | Class | Support |\n|---|---|---|---|\n")
	var kind elem.Kind
	for _, e := range s.Elements {
		shown := ""
		if e.Kind != kind {
			kind = e.Kind
			shown = "**" + string(kind) + "**"
		}
		fmt.Fprintf(&b, "| %s | %s | `%s` | %s |\n", shown, cell(e.Title), e.Class, cell(e.support()))
	}
	return b.String()
}

func (s support) functionsMarkdown() string {
	var b strings.Builder
	b.WriteString("| Function | | Support |\n|---|---|---|\n")
	for _, f := range s.Functions {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.call(), cell(f.Title), cell(f.support()))
	}
	return b.String()
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// rewrite writes the tables into a file.
func (s support) rewrite(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text, err := s.renew(string(data))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

// renew puts the tables between their markers in a Markdown text.
func (s support) renew(text string) (string, error) {
	for _, part := range []struct{ name, table string }{{"elements", s.elementsMarkdown()}, {"functions", s.functionsMarkdown()}} {
		open, end := "<!-- "+part.name+" -->\n", "<!-- /"+part.name+" -->"
		before, rest, ok := strings.Cut(text, open)
		_, after, ok2 := strings.Cut(rest, end)
		if !ok || !ok2 {
			return "", fmt.Errorf("no %s and %s around a table", strings.TrimSpace(open), end)
		}
		text = before + open + "\n" + part.table + "\n" + end + after
	}
	return text, nil
}
