package collect

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"marginalia/internal/course"
	"marginalia/internal/testkit/property"
)

func TestFileName(t *testing.T) {
	long := strings.Repeat("ä", 300)
	for name, want := range map[string]string{
		"ps1.ipynb": "ps1.ipynb", "Müller.csv": "Müller.csv", "Mu\u0308ller.csv": "Müller.csv", ".bashrc": ".bashrc",
		"a b'c.txt": "a b'c.txt", `a"b`: "a_b", "a/b": "a_b", `a\b`: "a_b", "a:b": "a_b", "a\x00b": "a_b", "a\nb": "a_b",
		"cod\u202epic.ipynb": "codpic.ipynb", "x\u200f.csv": "x.csv", "NUL": "_NUL", "nul.txt": "_nul.txt", "com1.ipynb": "_com1.ipynb", "console": "console",
		"dot.": "dot", "space ": "space", "..": "_", ".": "_", "": "_", " ": "_", "\xff\xfe": "_", "a\u00a0b": "a b",
		// 200 bytes: 92 ä, a tilde, 8 digits of SHA-256, .ipynb
		long + ".ipynb": strings.Repeat("ä", 92) + "~" + shortHash(long+".ipynb") + ".ipynb",
	} {
		if got := fileName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestStudentID(t *testing.T) {
	for _, same := range []string{"ada", "1234567", "Ada Lovelace", "ada@example.org", "O'Brien", "müller", "a+b", "李雷", "ada_l-2"} {
		if got := studentID(same); got != same {
			t.Errorf("%q: %q, want the same", same, got)
		}
	}
	if a, b := studentID("mu\u0308ller"), studentID("müller"); a != "müller" || b != a {
		t.Errorf("composed %q, decomposed %q: one student", b, a)
	}
	// What looks the same or becomes the same is told apart by its hash.
	ids := []string{}
	for _, key := range []string{"ada", "ada\u200f", "a/b", `a\b`, "a_b", ".ada", "_.ada", "-ada", "CON", "_CON", strings.Repeat("x", 300), strings.Repeat("x", 301), "a[1]", "a_1_", "..", "../..", "/etc/passwd", "C:\\x", "a\x00", "\u202e"} {
		id := studentID(key)
		if slices.Contains(ids, id) {
			t.Errorf("%q: %q is another's id", key, id)
		}
		ids = append(ids, id)
		if strings.HasPrefix(id, ".") || strings.HasPrefix(id, "-") || strings.ContainsAny(id, "/\\[]*?\x00") || len(id) > maxID {
			t.Errorf("%q: id %q", key, id)
		}
	}
}

// checkName holds for every file name and student id.
func checkName(t interface{ Errorf(string, ...any) }, raw string) {
	for _, made := range []string{fileName(raw), studentID(raw)} {
		switch {
		case made == "" || made == "." || made == ".." || len(made) > maxName || !utf8.ValidString(made) || !norm.NFC.IsNormalString(made):
			t.Errorf("%q becomes %q", raw, made)
		case strings.ContainsAny(made, "/\\:\x00\n*?\"<>|") || !filepath.IsLocal(made) || strings.TrimRight(made, " .") != made:
			t.Errorf("%q becomes %q, which no folder may be called everywhere", raw, made)
		case fileName(made) != made:
			t.Errorf("%q becomes %q, and that %q", raw, made, fileName(made))
		}
	}
	id := studentID(raw)
	if err := course.CheckStudent(id); err != nil || studentID(id) != id {
		t.Errorf("%q has the id %q (%v), and that has %q", raw, id, err, studentID(id))
	}
}

func TestNamesProperty(t *testing.T) {
	property.Check(t, func(t *rapid.T) { checkName(t, rapid.String().Draw(t, "name")) })
}

// Whatever an input's paths are called, reading them ends, and what is said to be the
// student's is a part of them.
func FuzzNames(f *testing.F) {
	for _, name := range []string{
		"Ada Lovelace_1234567_assignsubmission_file_/ps1.ipynb", "lovelaceada_LATE_340934_208490284_ps1.ipynb", "LATE_anon_x7Ab1_2084_ps1.ipynb",
		"Problem set_ada_attempt_2026-11-22-10-00-00_ps1.ipynb", "ada+ps1+2026-11-22 10:00:00.123456 Europe/Berlin+cmFuZG9t/ps1.ipynb", "ada+ps1+2026-11-22 10:00:00 UTC/x",
		"__attempt_2026-11-22-10-00-00_0", "../../etc/passwd", `C:\x`, "a\x00b", "//x", "nul/con.txt", "e\u0301/\u202e", strings.Repeat("ä", 300),
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		checkName(t, name)
		path, err := components(name)
		if err != nil {
			return
		}
		for _, part := range path {
			if part == "" || part == "." || part == ".." || strings.ContainsAny(part, "/\\\x00") {
				t.Errorf("%q has the component %q", name, part)
			}
			checkName(t, part)
		}
		o, rest, ok := ownerOf(path, "ps1", time.UTC)
		if ok && o.key == "" {
			t.Errorf("%q belongs to a student without a key: %+v", name, o)
		}
		for _, part := range rest {
			if part != receiptFile && !strings.Contains(name, part) {
				t.Errorf("%q: the student's own path is %q", name, rest)
			}
		}
		w := &writer{taken: map[string]string{}}
		first, second := w.place(path), w.place(path)
		if fold(first) == fold(second) || !filepath.IsLocal(filepath.FromSlash(first)) {
			t.Errorf("%q is kept as %q, and once more as %q", name, first, second)
		}
	})
}
