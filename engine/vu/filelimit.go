package vu

import "fmt"

// Threads tells, once, that so many threads may need more connections than the
// program may have.
func (r *Run) Threads(n int) {
	if r.FileLimit > 0 && n >= r.FileLimit {
		r.manyThreads.Do(func() { r.warn(fmt.Sprintf("%d threads start, each of which may hold a connection: %s", n, r.limit())) })
	}
}

// OutOfFiles tells, once, that connections fail for a limit that is none of the
// server's.
func (r *Run) OutOfFiles() {
	r.outOfFiles.Do(func() { r.warn("connections fail: " + r.limit()) })
}

func (r *Run) warn(text string) {
	fmt.Fprintln(r.Err, "Warning: "+text)
	r.Log.Warn(text)
}

// limit says what the limit is and how it is raised.
func (r *Run) limit() string {
	if r.FileLimit == 0 {
		return "the system lets this program open no more files"
	}
	return fmt.Sprintf("the system lets this program have %d files open, connections among them; for more raise the hard limit "+
		"of open files (ulimit -Hn; nofile in limits.conf, LimitNOFILE of systemd, --ulimit nofile of a container)", r.FileLimit)
}
