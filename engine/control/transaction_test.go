package control

import (
	"testing"
	"testing/synctest"
	"time"
)

// A transaction cuts its times to the millisecond where its samples do: else the
// sum of theirs could be more than the whole.
func TestTransactionClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, begin := range []time.Duration{0, 400 * time.Microsecond, 999 * time.Microsecond} {
			time.Sleep(begin)
			s := &transactionState{begin: time.Now()}
			for range 20 {
				time.Sleep(2400 * time.Microsecond)
				if got, want := s.now(), time.Now().UnixMilli(); got != want {
					t.Errorf("the transaction is at %d, its samples at %d", got, want)
				}
			}
		}
	})
}
