package java

import "testing"

func TestFilePath(t *testing.T) {
	for name, want := range map[string]string{ // java.io.File.getPath of Java 17
		"": "", "a": "a", "/": "/", "//": "/", "a/": "a", "/a//b///c//": "/a/b/c", "a//../b/.": "a/../b/.", "ä//ö": "ä/ö",
	} {
		if got := FilePath(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
