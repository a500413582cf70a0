package cursor

import (
	"reflect"
	"strings"
	"testing"

	"marginalia/internal/notebook/gonb"
)

// The qualifiers of a text are the names before a dot, with what stands behind it.
func TestQualifiers(t *testing.T) {
	if got, want := qualifiers("a.B + c.d.e(f.\n) // g.h\nx.y"), map[string][]string{"a": {"", "B"}, "c": {"", "d"}, "f": {""}, "x": {"", "y"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A place in any text is found or there is none; nothing panics.
func TestPlaces(t *testing.T) {
	for _, source := range []string{"", "\n", "%%", "%%\n", "package x\nfmt.", "//gonb:%%\nx.y(", "%exec f\n", "`\n%%\nfmt.", "\u2028ä\r\nx", "a\\\n%b\\\nc", "%%\nf(x{a(\"(\"), /* ( */ ']'"} {
		for n := range len([]rune(source)) + 3 {
			p, ok := Find(source, n-1)
			if !ok {
				continue
			}
			before := string([]rune(source)[:n-1])
			if want := before[strings.LastIndexByte(before, '\n')+1:]; string(p.Text[:p.At]) != want || !strings.HasSuffix(p.File[:p.Offset], want) {
				t.Errorf("%q, cursor %d: %q before the cursor, want %q", source, n-1, string(p.Text[:p.At]), want)
			}
			p.Files(gonb.NewDecls(), func(string, []string) string { return "" })
			for p.Outwards() {
			}
		}
	}
}
