package regex

import (
	"fmt"
	"sync"
	"testing"
)

func TestCacheKeepsTheLastUsed(t *testing.T) {
	c := NewCache(ORO, 2)
	a, _ := c.Get("a")
	c.Get("b")
	if again, _ := c.Get("a"); again != a {
		t.Error("a was compiled twice")
	}
	b, _ := c.Get("b")
	c.Get("c") // a goes
	if again, _ := c.Get("b"); again != b {
		t.Error("b went although it was used after a")
	}
	if again, _ := c.Get("a"); again == a {
		t.Error("a is still there, beyond the size")
	}
	if _, err := c.Get("("); err == nil {
		t.Error("no error for a bad pattern")
	}
	if _, err := c.Get("("); err == nil {
		t.Error("no error for a bad pattern, the second time")
	}
}

func TestCacheIsSafeForConcurrentUse(t *testing.T) {
	c := NewCache(Java, 8)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range 200 {
				want := fmt.Sprint((i + j) % 12)
				re, err := c.Get(want)
				if err != nil || !re.MatchesString(want) {
					t.Errorf("Get(%q) = %v, %v", want, re, err)
				}
			}
		})
	}
	wg.Wait()
}
