package scripted

import (
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/gojm/gojm/engine/script"
	"github.com/gojm/gojm/engine/vu"
)

// programs are the scripts of a run, compiled. Safe for concurrent use.
type programs struct {
	cache *script.Cache

	mu    sync.Mutex
	count int // of Groovy scripts so far, which their classes are named by
	files map[string]fileScript
}

// fileScript is a script file as it was when it was read.
type fileScript struct {
	changed time.Time
	size    int64
	text    string
}

type programsKey struct{}

func programsOf(r *vu.Run) *programs {
	return vu.Shared(r, programsKey{}, func() *programs {
		// more than JMeter's 100: a script costs little, and a plan with more is slow there
		return &programs{cache: script.NewCache(max(1000, int(r.Props.Int("jsr223.compiled_scripts_cache_size", 0)))), files: map[string]fileScript{}}
	})
}

// compile compiles a text once.
func (p *programs) compile(lang, text string) (*script.Program, error) {
	prog, err, ok := p.cache.Known(lang, text)
	if ok {
		return prog, err
	}
	return p.cache.Compile(lang, text, p.name(lang))
}

// name is the next script's name as messages show it.
func (p *programs) name(lang string) string {
	if lang != "groovy" {
		return "script"
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count++
	return "Script" + strconv.Itoa(p.count) + ".groovy"
}

// file is the text of a script file; it is read again once it has changed.
func (p *programs) file(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	p.mu.Lock()
	f, ok := p.files[path]
	p.mu.Unlock()
	if ok && f.changed.Equal(info.ModTime()) && f.size == info.Size() {
		return f.text, nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	p.mu.Lock()
	p.files[path] = fileScript{info.ModTime(), info.Size(), string(b)}
	p.mu.Unlock()
	return string(b), nil
}
