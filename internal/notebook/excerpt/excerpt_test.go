package excerpt

import (
	"fmt"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
)

// lines returns n lines of ten bytes.
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%09d\n", i)
	}
	return b.String()
}

// A text keeps its beginning and its end in whole lines, and says how much lies between, in
// whatever pieces it comes. An excerpt is its own.
func TestText(t *testing.T) {
	// 91751 lines of ten bytes reach 896·1024 bytes, and 13107 lie within the last 128·1024.
	const head, tail = 91751, 13107
	for name, c := range map[string]struct{ text, want string }{
		"nothing":        {"", ""},
		"short":          {"a\nb", "a\nb"},
		"just whole":     {lines(head + tail), lines(head + tail)},
		"long":           {lines(200000), lines(head) + begin + fmt.Sprintf(end, 10*(200000-head-tail), 200000-head-tail) + lines(200000)[10*(200000-tail):]},
		"one long line":  {strings.Repeat("x", 3<<20), strings.Repeat("x", Head+line) + "\n" + begin + fmt.Sprintf(end, 3<<20-Head-line-Tail, 0) + strings.Repeat("x", Tail)},
		"no ASCII":       {strings.Repeat("щ€", 1<<18), ""},
		"a line at last": {strings.Repeat("x", Head-1) + "\n" + lines(tail), strings.Repeat("x", Head-1) + "\n" + lines(tail)},
	} {
		want := Of(c.text)
		if name != "no ASCII" && want != c.want {
			t.Errorf("%s: an excerpt of %d bytes that begins with %.50q, want %d bytes", name, len(want), want, len(c.want))
		}
		if strings.ToValidUTF8(want, "?") != want {
			t.Errorf("%s: a character is torn", name)
		}
		if again := Of(want); again != want {
			t.Errorf("%s: the excerpt of an excerpt has %d bytes, want %d", name, len(again), len(want))
		}
		for _, size := range []int{1000, 32 << 10, 1 << 20} {
			var text Text
			var got strings.Builder
			for rest := []rune(c.text); len(rest) > 0; {
				n := min(size, len(rest))
				got.WriteString(text.Add(string(rest[:n])))
				rest = rest[n:]
			}
			if got.WriteString(text.End()); got.String() != want {
				t.Errorf("%s: in pieces of %d: %d bytes, want %d", name, size, got.Len(), len(want))
			}
		}
	}
}

// The streams of a cell are shortened each by itself. Displays stay, and the end comes before
// the error.
func TestOutputs(t *testing.T) {
	stream := func(name, text string) nbformat.Output {
		return nbformat.Output{Type: "stream", Name: name, Text: text}
	}
	long := lines(200000)
	display, failure := nbformat.Output{Type: "display_data"}, nbformat.Output{Type: "error", EName: "ERROR"}
	got := Outputs([]nbformat.Output{stream("stdout", long[:1500000]), stream("stderr", "warning\n"), display, stream("stdout", long[1500000:]), failure})
	var text, order string
	for _, o := range got {
		order += o.Type + o.Name + " "
		if o.Name == "stdout" {
			text += o.Text
		}
	}
	if want := "streamstdout streamstderr display_data streamstdout error "; order != want || text != Of(long) {
		t.Errorf("outputs %q with %d bytes of stdout, want %q with %d", order, len(text), want, len(Of(long)))
	}
}
