package derive

import (
	"testing"
)

func TestLectures(t *testing.T) {
	for _, d := range Lectures() {
		r, err := d.Check(500, 7)
		if err != nil {
			t.Error(err)
		}
		t.Logf("%v\n%s", r, d.Markdown())
	}
}
