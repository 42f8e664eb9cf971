package http

import (
	"log/slog"
	"testing"

	"go.uber.org/goleak"
)

// TestMain finds goroutines that outlive their test.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }
