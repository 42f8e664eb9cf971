package java

import "strings"

// FilePath is the path of a java.io.File of that name on Unix: several slashes
// in a row are one, and none stands at the end. Dots stay as they are.
func FilePath(name string) string {
	for strings.Contains(name, "//") {
		name = strings.ReplaceAll(name, "//", "/")
	}
	if len(name) > 1 {
		name = strings.TrimSuffix(name, "/")
	}
	return name
}
