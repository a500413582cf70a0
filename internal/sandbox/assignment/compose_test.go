package assignment

import (
	"testing"

	"marginalia/internal/notebook/gonb"
)

// Line directives name the cells' lines, and stand in no text: GoNB leaves out a line that begins with "package" there as well.
func TestLines(t *testing.T) {
	c := gonb.Read("one", "const text = `a\npackage b\nc`\n\nfunc F() {\n\tpanic(text)\n}")
	d, main, err := c.Parse()
	if err != nil {
		t.Fatal(err)
	}
	const want = "package main\n\n//line one.cell:1\nconst text = `a\nc`\n//line marginalia.go:5\n\n//line one.cell:5\nfunc F() {\n\tpanic(text)\n}\n" +
		"//line marginalia.go:9\n\n\nfunc main() { flag.Parse() }\n"
	if got := string(lines(d.Compose(main))); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
