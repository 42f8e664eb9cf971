package regex

import (
	"slices"
	"testing"
)

func TestFindAllReturnsFlatOffsets(t *testing.T) {
	re, err := Compile(`<a href="([^"]+)"( x)?>`, ORO)
	if err != nil {
		t.Fatal(err)
	}
	got := re.FindAll(nil, []byte(`<a href="/1"><a href="/2" x>`), -1)
	want := []int{0, 13, 9, 11, -1, -1, 13, 28, 22, 24, 25, 27}
	if !slices.Equal(got, want) || re.Groups() != 2 || re.Stride() != 6 {
		t.Errorf("FindAll = %v, want %v", got, want)
	}
}
