package script

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// Program is a compiled script: immutable, to be run any number of times from any thread.
type Program struct {
	name     string
	lang     string
	problems []Problem
	run      func(*Run) (Value, error)
}

// Problem is a construct, class or method that a script uses and this package does not have.
type Problem struct {
	Line, Column int
	Text         string // "class java.net.Socket is not supported"
}

func (p Problem) String() string {
	return fmt.Sprintf("line %d, column %d: %s", p.Line, p.Column, p.Text)
}

// SyntaxError says where a script cannot be parsed.
type SyntaxError struct {
	Name         string
	Line, Column int
	Text         string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s: %d: %s @ line %d, column %d.", e.Name, e.Line, e.Text, e.Line, e.Column)
}

// Languages are the names that Compile takes, besides their aliases.
var languages = map[string]func(source, name string) (*Program, error){
	"groovy":     compileGroovy,
	"beanshell":  compileBeanShell,
	"jexl3":      compileJEXL3,
	"jexl2":      compileJEXL2,
	"javascript": compileJavaScript,
}

// Language finds the front end for a name as JMeter's script elements spell it; ok is false for
// languages that cannot be run (jython, ...).
func Language(name string) (lang string, ok bool) {
	switch l := strings.ToLower(name); l {
	case "", "groovy":
		return "groovy", true
	case "beanshell", "bsh", "java":
		return "beanshell", true
	case "jexl3", "jexl":
		return "jexl3", true
	case "jexl2":
		return "jexl2", true
	case "javascript", "js", "ecmascript", "rhino", "nashorn":
		return "javascript", true
	}
	return "", false
}

// Compile parses a script. The name stands for the script in messages ("Script1.groovy"). An error is
// a *SyntaxError.
func Compile(lang, source, name string) (*Program, error) {
	l, ok := Language(lang)
	if !ok {
		return nil, fmt.Errorf("Cannot find engine named: '%s'", lang)
	}
	return languages[l](source, name)
}

// Unsupported lists what the script uses and is not at hand, as far as it shows without running it.
func (p *Program) Unsupported() []Problem { return p.problems }

// Env is what one run of a script sees of the world. It belongs to one thread.
type Env struct {
	// Bindings are the names the script finds and the ones it sets; the map is changed by the run.
	Bindings map[string]Value
	Out      io.Writer // of println and System.out; nil is standard output
	Err      io.Writer // of System.err; nil is standard error
	Dir      string    // relative file names start here; empty is the working directory
	// Interrupted, when not nil, is asked now and then; once true the script ends with an error.
	Interrupted func() bool
	// Host is what classes of the embedding program find by Run.Host.
	Host     any
	Now      func() time.Time            // nil is time.Now
	Getenv   func(string) string         // nil is os.Getenv
	Property func(string) (string, bool) // System.getProperty beyond what every Java has
}

// Run runs the program. The error is a *Throwable for what the script or Java threw. A fault of this package
// itself is one too, so that it fails a sample and not the test.
func (p *Program) Run(env *Env) (v Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			v, err = nil, throw("java.lang.InternalError", "%v", r)
		}
	}()
	if env == nil {
		env = &Env{}
	}
	if env.Bindings == nil {
		env.Bindings = make(map[string]Value)
	}
	return p.run(&Run{env: env, lang: p.lang})
}

// Run is the state of one run.
type Run struct {
	env      *Env
	lang     string // language whose rules methods follow where they differ
	*dialect        // nil in JavaScript
	depth    int
	ticks    int
}

// Host is the Env's Host.
func (r *Run) Host() any { return r.env.Host }

// Language is the language of the script that runs: groovy, beanshell, jexl3, jexl2 or javascript.
func (r *Run) Language() string { return r.lang }

const maxDepth = 1500

// enter counts nested calls and ends a recursion without end as Java does.
func (r *Run) enter() error {
	if r.depth++; r.depth > maxDepth {
		return throw("java.lang.StackOverflowError", "")
	}
	return nil
}

func (r *Run) leave() { r.depth-- }

// tick is called once a turn of every loop.
func (r *Run) tick() error {
	if r.ticks++; r.ticks&255 == 0 && r.env.Interrupted != nil && r.env.Interrupted() {
		return throw("java.lang.InterruptedException", "script interrupted")
	}
	return nil
}

func (r *Run) out() io.Writer {
	if r.env.Out != nil {
		return r.env.Out
	}
	return os.Stdout
}

func (r *Run) errOut() io.Writer {
	if r.env.Err != nil {
		return r.env.Err
	}
	return os.Stderr
}

func (r *Run) now() time.Time {
	if r.env.Now != nil {
		return r.env.Now()
	}
	return time.Now()
}
