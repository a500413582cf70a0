//go:build browser

package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"marginalia/internal/install/lab/labtest"
	"marginalia/internal/notebook/excerpt"
	"marginalia/internal/testkit/tier"
)

// TestLimits runs cells that print and take memory without end. The page stays alive: each can be stopped or
// ends with an error, and the next cell runs.
func TestLimits(t *testing.T) {
	tier.Browser(t)
	p := live(t, serve(t).address, "limits",
		"%%\nfor i := range 100_000 {\n\tfmt.Println(i)\n}",
		"%%\nfor i := 0; ; i++ {\n\tfmt.Println(\"line\", i)\n}",
		"%%\nb := bytes.Repeat([]byte(\"0123456\\n\"), 1<<20)\nfor {\n\tos.Stdout.Write(b)\n}",
		"%%\nfor {\n\tfmt.Print(\".\")\n\tfmt.Fprint(os.Stderr, \".\")\n}",
		"%%\nvar kept [][]byte\nfor {\n\tkept = append(kept, make([]byte, 64<<20))\n}",
		"%%\n_, _, err := datasets.MNISTOnly(1)\nlog.Fatal(err)",
		"%%\nfor i := range 101 {\n\tfmt.Printf(\"\\r%3d %%\", i)\n}\nfmt.Println(\"\\ndone\")")
	stop := func(cell int, what, condition string) string {
		t.Helper()
		p.click(cell)
		p.shows(cell, what, condition)
		p.click(cell)
		return p.ended(cell)
	}
	lines := ""
	for i := range 100_000 {
		lines += fmt.Sprintln(i)
	}
	p.click(0)
	if got := p.ended(0); got != lines {
		t.Errorf("it prints %d bytes, want %d", len(got), len(lines))
	}
	const stopped = "the program was ended by interrupt"
	// An excerpt has at most its head, its tail, a line more of each, and two notes (package excerpt).
	const most = excerpt.Head + excerpt.Tail + 8<<10 + 1000
	got := stop(1, "the excerpt", `out.textContent.includes("the rest is left out")`)
	if head, tail, ok := strings.Cut(got, "[Left out: "); len(got) > most || !ok || !strings.HasPrefix(head, "line 0\nline 1\n") || !strings.HasSuffix(tail, stopped) {
		t.Errorf("it prints %d bytes that end in %q", len(got), got[max(0, len(got)-200):])
	}
	if got := stop(2, "the excerpt", `out.textContent.includes("the rest is left out")`); len(got) > most || !strings.HasSuffix(got, stopped) {
		t.Errorf("it prints %d bytes that end in %q", len(got), got[max(0, len(got)-200):])
	}
	got = stop(3, "much of both streams", `out.textContent.length > 100_000`)
	// 1000 turns in cell.js, and then two for what comes within 50 ms, some hundred bytes at least.
	if parts := labtest.Value[int](p, t, `document.querySelectorAll(".go-outputs")[3].children.length`); parts < 1000 || parts > 5000 || !strings.HasSuffix(got, stopped) {
		t.Errorf("its text is in %d parts and ends in %q", parts, got[max(0, len(got)-200):])
	}
	p.click(4)
	if got, want := p.ended(4), "fatal error: out of memory\n  line 4: kept = append(kept, make([]byte, 64<<20))\n  → the program needs more memory than there is"; !strings.HasSuffix(got, want) {
		t.Errorf("it says %q, want %q at the end", got, want)
	}
	p.click(5)
	if got := p.ended(5); !strings.Contains(got, "MNIST, 11 MB, is not part of this page") || !strings.Contains(got, "go run . lab") {
		t.Errorf("it says %q", got)
	}
	p.click(6)
	if got := p.ended(6); got != "100 %\ndone\n" {
		t.Errorf("it prints %q", got)
	}
	labtest.Picture(p, "limits")
}
