package script

import (
	"os"
	"testing"
	"time"
)

// TestMain runs everything in the zone that the answers were recorded in.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}
