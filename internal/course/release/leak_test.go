package release

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"marginalia/internal/course"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// The assignment that the tests attack. Its solution, its hidden test and its mark
// scheme are a few lines each, as most are.
const (
	solution = `	margin := y * mat.Dot(w, x)
	if margin > 0 {
		return false
	}
	w.AddScaledVec(w, y, x)
	return true`
	hiddenTest = `	// MESSAGE: a point on the boundary is a mistake
	t.Run("boundary", func(t *testing.T) {
		w := mat.NewVecDense(2, []float64{0.25, -1.75})
		if !Update(w, mat.NewVecDense(2, []float64{7, 1}), -1) || w.AtVec(0) != -6.75 {
			t.Errorf("w = %v", w.RawVector().Data)
		}
	})`
	words  = "A kernel computes the inner product of two images in a space that nobody ever has to enter."
	scheme = "One mark for naming the feature space, one for saying why its dimension does not matter."
)

func cells() []*nbformat.Cell {
	nbg := func(id string, keys ...string) map[string]any {
		m := map[string]any{"schema_version": 3, "grade": false, "solution": false, "locked": false, "grade_id": id}
		for _, k := range keys {
			if m[k] = true; k == "grade" || k == "task" {
				m["points"] = 2
			}
		}
		return map[string]any{"nbgrader": m}
	}
	return []*nbformat.Cell{
		{ID: "intro", Type: "markdown", Source: "# Updates\n\n`Update(w *mat.VecDense, x mat.Vector, y float64) bool` corrects $w$ and reports `true` if it had to. TestUpdateBoundary is yours to guess.", Metadata: map[string]any{}},
		{ID: "imports", Type: "code", Source: "import (\n\t\"testing\"\n\n\t\"gonum.org/v1/gonum/mat\"\n)", Metadata: nbg("imports", "locked")},
		{ID: "helper", Type: "code", Source: "// norm is the length of w.\nfunc norm(w *mat.VecDense) float64 {\n\treturn mat.Norm(w, 2)\n}", Metadata: nbg("helper", "locked")},
		{ID: "answer", Type: "code", Source: "// Update corrects w.\nfunc Update(w *mat.VecDense, x mat.Vector, y float64) bool {\n\t// BEGIN SOLUTION\n" + solution + "\n\t// END SOLUTION\n}", Metadata: nbg("answer", "solution")},
		{ID: "tests", Type: "code", Source: "%test\nfunc TestUpdate(t *testing.T) {\n\tt.Run(\"right\", func(t *testing.T) {\n\t\tw := mat.NewVecDense(2, []float64{1, 2})\n\t\tif Update(w, mat.NewVecDense(2, []float64{3, 4}), 1) {\n\t\t\tt.Errorf(\"w = %v\", w.RawVector().Data)\n\t\t}\n\t})\n\t// BEGIN HIDDEN TESTS\n" + hiddenTest + "\n\t// END HIDDEN TESTS\n}", Metadata: nbg("tests", "grade", "locked")},
		{ID: "words", Type: "markdown", Source: words + "\n\n![](attachment:proof.png)", Metadata: nbg("words", "grade", "solution"), Attachments: map[string]any{"proof.png": map[string]any{"image/png": picture()}}},
		{ID: "task", Type: "markdown", Source: "Draw it.\n\n=== BEGIN MARK SCHEME ===\n" + scheme + "\n=== END MARK SCHEME ===", Metadata: nbg("task", "task", "locked")},
		{ID: "end", Type: "markdown", Source: "That is all.", Metadata: map[string]any{}},
	}
}

// picture is the base64 of something that looks like a picture.
func picture() string {
	data := []byte("\x89PNG\r\n\x1a\n")
	for i := range 600 {
		data = append(data, byte(i*i*7+i/3))
	}
	return base64.StdEncoding.EncodeToString(data)
}

// assignmentOf makes the release of cells and files, after change has had its way with them.
func assignmentOf(t testing.TB, change func(cells []*nbformat.Cell, files map[string]string)) *Handout {
	t.Helper()
	all, files := cells(), map[string]string{}
	if change != nil {
		change(all, files)
	}
	nb := &nbformat.Notebook{Cells: all, Metadata: map[string]any{"kernelspec": map[string]any{"name": "gonb", "language": "go", "display_name": "Go (gonb)"}}}
	dir := t.TempDir()
	source := filepath.Join(dir, "source", "ps1")
	must.Do(t, os.MkdirAll(source, 0o777))
	must.Do(t, nb.WriteFile(filepath.Join(source, "ps1.ipynb")))
	for name, text := range files {
		os.MkdirAll(filepath.Dir(filepath.Join(source, name)), 0o777)
		must.Do(t, os.WriteFile(filepath.Join(source, name), []byte(text), 0o666))
	}
	c := must.Get(course.Open(dir)).Or(t)
	return must.Get(Make(c, "ps1")).Or(t)
}

func packed(t testing.TB, text string, with func(io.Writer) io.WriteCloser) string {
	var b bytes.Buffer
	w := with(&b)
	must.Get(io.WriteString(w, text)).Or(t)
	must.Do(t, w.Close())
	return b.String()
}

func to64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// wrapped breaks s every n bytes and joins the pieces with between.
func wrapped(s string, n int, between string) string {
	var parts []string
	for part := range slices.Chunk([]byte(s), n) {
		parts = append(parts, string(part))
	}
	return strings.Join(parts, between)
}

// each replaces every byte of s by what f makes of it.
func each(s string, f func(byte) string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteString(f(s[i]))
	}
	return b.String()
}

// Ways in which a solution, a hidden test or a mark scheme can slip into a release, by
// accident or as an answer key that somebody keeps for later. Each is found, in the
// place where it is.
func TestLeaks(t *testing.T) {
	toGzip := func(s string) string {
		return packed(t, s, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
	}
	toZlib := func(s string) string {
		return packed(t, s, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) })
	}
	toDeflate := func(s string) string {
		return packed(t, s, func(w io.Writer) io.WriteCloser { f, _ := flate.NewWriter(w, 9); return f })
	}
	toZip := func(s string) string {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		w, _ := z.Create("key/solution.go")
		io.WriteString(w, s)
		z.Close()
		return b.String()
	}
	source := func(i int, text string) func([]*nbformat.Cell, map[string]string) {
		return func(c []*nbformat.Cell, _ map[string]string) { c[i].Source += "\n" + text }
	}
	metadata := func(v any) func([]*nbformat.Cell, map[string]string) {
		return func(c []*nbformat.Cell, _ map[string]string) { c[2].Metadata["note"] = v }
	}
	file := func(name, text string) func([]*nbformat.Cell, map[string]string) {
		return func(_ []*nbformat.Cell, f map[string]string) { f[name] = text }
	}
	commented := "// " + strings.ReplaceAll(solution, "\n", "\n// ")
	line := "w.AddScaledVec(w, y, x)\nreturn true"
	utf16le := "\xff\xfe"
	for _, u := range utf16.Encode([]rune(solution)) {
		utf16le += string([]byte{byte(u), byte(u >> 8)})
	}
	const helper, intro, end = "cell 3 (helper)", "cell 1 (intro)", "cell 8 (end)"
	for name, v := range map[string]struct {
		change func([]*nbformat.Cell, map[string]string)
		where  string
	}{
		"in a given cell":                      {source(2, "func old(w *mat.VecDense, x mat.Vector, y float64) bool {\n"+solution+"\n}"), helper},
		"commented out, below the stub":        {source(3, commented), "cell 4 (answer), line 6"},
		"commented out, in a given cell":       {source(2, "/*\n"+solution+"\n*/"), helper},
		"one line as a hint":                   {source(3, "// w.AddScaledVec(w, y, x); return true"), "cell 4 (answer)"},
		"in a Go string":                       {source(2, "const key = `"+solution+"`"), helper},
		"in Markdown":                          {source(7, "```go\n"+solution+"\n```"), end},
		"quoted in Markdown":                   {source(7, "> "+strings.ReplaceAll(solution, "\n", "\n> ")), end},
		"in Markdown, all in capitals":         {source(7, strings.ToUpper(solution)), end},
		"in Markdown, wrapped within words":    {source(7, wrapped(solution, 7, "\n")), end},
		"with spaces of no width":              {source(7, each(solution, func(b byte) string { return string(rune(b)) + "\u200b" })), end},
		"in a raw cell":                        {func(c []*nbformat.Cell, _ map[string]string) { c[7].Type, c[7].Source = "raw", solution }, end},
		"in the metadata of a cell":            {metadata(solution), "cell 3, metadata.note"},
		"as a key of metadata":                 {metadata(map[string]any{solution: 1}), "cell 3, metadata.note key"},
		"deep in metadata, as lines":           {metadata(map[string]any{"a": []any{map[string]any{"b": []any{"margin := y * mat.Dot(w, x)\n", "if margin > 0 {return false}"}}}}), "cell 3, metadata.note.a[].b"},
		"split over the lines of a given cell": {source(2, "var a = 1 // margin := y * mat.\nvar b = 2 // Dot(w, x); if mar\nvar c = 3 // gin > 0 { return false }"), helper},
		"split over the ends of Markdown cells": {func(c []*nbformat.Cell, _ map[string]string) {
			c[0].Source = "w.AddScaledVec("
			c[6].Source = "w, y, x); " + c[6].Source[len("Draw it."):]
			c[7].Source = "return true"
		}, "cell 1 (intro)"},
		"split over the metadata of cells": {func(c []*nbformat.Cell, _ map[string]string) {
			for i, part := range []string{"margin := y * ", "mat.Dot(w, x) if ", "margin > 0 { return", " false"} {
				c[i].Metadata["x"] = part
			}
		}, "cell 1, metadata.x"},
		"in an attachment": {func(c []*nbformat.Cell, _ map[string]string) {
			c[0].Attachments = map[string]any{"a.txt": map[string]any{"text/plain": to64(solution)}}
		}, "cell 1, attachments.a.txt.text/plain"},
		"as the name of an attachment": {func(c []*nbformat.Cell, _ map[string]string) {
			c[0].Attachments = map[string]any{line: map[string]any{"text/plain": ""}}
		}, "cell 1, attachments key"},
		"base64":                                {source(7, to64(solution)), end},
		"base64, wrapped in comments":           {source(2, "// "+wrapped(to64(solution), 76, "\n// ")), helper},
		"base64, each line on its own":          {source(7, to64(solution[:30])+"\n\n"+to64(solution[30:60])+"\n\n"+to64(solution[60:])), end},
		"base64 for addresses, without padding": {metadata(base64.RawURLEncoding.EncodeToString([]byte(solution))), "cell 3, metadata.note"},
		"base64 of base64":                      {metadata(to64(to64(solution))), "cell 3, metadata.note"},
		"base64, split over the metadata of cells": {func(c []*nbformat.Cell, _ map[string]string) {
			for i, part := range strings.Fields(wrapped(to64(line), 12, " ")) {
				c[i].Metadata["x"] = part
			}
		}, "cell 1, metadata.x"},
		"gzip, base64":             {metadata(to64(toGzip(solution))), "cell 3, metadata.note"},
		"deflate, base64":          {metadata(to64(toDeflate(solution))), "cell 3, metadata.note"},
		"escaped twice":            {metadata(strconv.Quote(strconv.Quote(strings.ReplaceAll(line, "\n", "\n\t\t")))), "cell 3, metadata.note"},
		"escaped letter by letter": {source(2, "const key = \""+each(solution, func(b byte) string { return fmt.Sprintf(`\u%04x`, b) })+"\""), helper},
		"escaped in octal":         {source(2, "const key = \""+each(solution, func(b byte) string { return fmt.Sprintf(`\%03o`, b) })+"\""), helper},
		"entities of HTML":         {source(7, each(solution, func(b byte) string { return fmt.Sprintf("&#%d;", b) })), end},
		"percent signs":            {source(7, "[help](https://example.org/?q="+url.QueryEscape(strings.ReplaceAll(line, " ", ""))+")"), end},
		"in bold letters": {source(7, strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' {
				return r - 'a' + '𝐚'
			}
			return r
		}, line)), end},
		"as a table with numbers":     {source(7, "| 1 | margin := y * |\n| 2 | mat.Dot(w, x) |\n| 3 | if margin > 0 |\n| 4 | return false |"), end},
		"letter by letter in tags":    {source(7, each(line, func(b byte) string { return "<tspan x='1'>" + string(rune(b)) + "</tspan>" })), end},
		"a large file":                {file("big.txt", strings.Repeat("1 2 3 4 5 6 7 8\n", maxOne/16-1)+solution), "big.txt"},
		"a file of Go":                {file("key/solution.go", "package key\n"+solution), "key/solution.go, line 2"},
		"a backup of the notebook":    {file("ps1.ipynb~", `{"cells": [{"source": ["\tmargin := y * mat.Dot(w, x)\n", "\tif margin > 0 {\n", "\t\treturn false\n"]}]}`), "ps1.ipynb~"},
		"a file in UTF-16":            {file("notes.txt", utf16le), "notes.txt"},
		"a compressed file":           {file("data.csv.gz", toGzip("x,y\n1,2\n"+solution)), "data.csv.gz"},
		"an archive":                  {file("data.zip", toZip(solution)), "data.zip"},
		"compressed within a picture": {file("figure.png", "\x89PNG\r\n\x1a\n\x00\x00\x01\x00zTXtComment\x00\x00"+toZlib(solution)+"\x00\x00\x00\x00IEND"), "figure.png"},
		"the name of a file":          {file("w.AddScaledVec(w, y, x); return true", ""), "the name of"},
		"the picture of a proof, shown elsewhere": {func(c []*nbformat.Cell, _ map[string]string) {
			c[0].Attachments = map[string]any{"b.png": map[string]any{"image/png": picture()}}
		}, "cell 1, attachments.b.png.image/png"},
		"the picture of a proof, as a file": {func(_ []*nbformat.Cell, f map[string]string) {
			data, _ := base64.StdEncoding.DecodeString(picture())
			f["proof.png"] = string(data)
		}, "proof.png"},
		"a hidden test in Markdown":             {source(7, hiddenTest), end},
		"a hidden test in a given cell":         {source(2, "func check(t *testing.T) {\n"+hiddenTest+"\n}"), helper},
		"a hidden test in the visible ones":     {source(4, "func TestAgain(t *testing.T) {\n"+hiddenTest+"\n}"), "cell 5 (tests)"},
		"the values of a hidden test in a file": {file("x.csv", to64("[]float64{7, 1}), -1) || w.AtVec(0) != -6.75")), "x.csv"},
		"an answer in words":                    {source(7, words), end},
		"an answer in words, in a comment":      {source(2, "// "+words), helper},
		"a mark scheme, in metadata":            {metadata(scheme), "cell 3, metadata.note"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "a large file" {
				tier.Long(t)
			}
			leaks, _ := assignmentOf(t, v.change).Leaks(nil)
			if !slices.ContainsFunc(leaks, func(l Leak) bool { return strings.Contains(l.Where, v.where) }) {
				t.Errorf("not found in %s; found: %v", v.where, leaks)
			}
			for _, l := range leaks {
				if l.Of == "" || len(l.Text) < 12 || strings.Contains(l.Error(), "\n") {
					t.Errorf("%q", l.Error())
				}
			}
		})
	}
}

// What is in every release is no leak: names, signatures, idioms, tables of numbers.
func TestNoLeaks(t *testing.T) {
	numbers := strings.Repeat("0.25,-1.75,7,1\n", 1000)
	for name, change := range map[string]func([]*nbformat.Cell, map[string]string){
		"nothing": nil,
		"names": func(c []*nbformat.Cell, _ map[string]string) {
			c[7].Source = "`AddScaledVec`, `mat.Dot`, `TestUpdateBoundary`, `w`, `x`, `margin`"
		},
		"a call": func(c []*nbformat.Cell, _ map[string]string) {
			c[7].Source = "Make a vector with `mat.NewVecDense(2, []float64{3, 1})`."
		},
		"a signature": func(c []*nbformat.Cell, _ map[string]string) {
			c[7].Source = "```go\nfunc Update(w *mat.VecDense, x mat.Vector, y float64) bool\n```"
		},
		"an idiom": func(c []*nbformat.Cell, _ map[string]string) {
			c[2].Source += "\nfunc f(margin float64) bool {\n\tif margin > 0 {\n\t\treturn false\n\t}\n\treturn true\n}"
		},
		"a table": func(_ []*nbformat.Cell, f map[string]string) { f["x.csv"] = numbers },
		"a test like a hidden one": func(c []*nbformat.Cell, _ map[string]string) {
			c[4].Source = strings.Replace(c[4].Source, "\t// BEGIN", "\tt.Run(\"left\", func(t *testing.T) {\n\t\tw := mat.NewVecDense(2, []float64{8, 9})\n\t\tif !Update(w, mat.NewVecDense(2, []float64{-3, 4}), -1) || w.AtVec(0) != 5 {\n\t\t\tt.Errorf(\"w = %v\", w.RawVector().Data)\n\t\t}\n\t})\n\t// BEGIN", 1)
		},
		"a picture": func(c []*nbformat.Cell, f map[string]string) {
			c[0].Attachments = map[string]any{"b.png": map[string]any{"image/png": base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("\x89PNG\r\n\x1a\n\x00\x01"), 100))}}
		},
	} {
		if leaks, _ := assignmentOf(t, change).Leaks(nil); len(leaks) > 0 {
			t.Errorf("%s: %v", name, leaks)
		}
	}
}

// What the lecturer allows is none either, and nothing else is allowed with it.
func TestPublic(t *testing.T) {
	change := func(c []*nbformat.Cell, _ map[string]string) {
		c[7].Source = "`w.AddScaledVec(w, y, x)`\n`return true`"
	}
	if leaks, _ := assignmentOf(t, change).Leaks([]string{"w.AddScaledVec(w,y,x)\nreturn true"}); len(leaks) > 0 {
		t.Errorf("allowed, yet %v", leaks)
	}
	if leaks, _ := assignmentOf(t, change).Leaks([]string{"return false", ""}); len(leaks) != 1 {
		t.Errorf("not allowed: %v, want one leak", leaks)
	}
	all := func(c []*nbformat.Cell, _ map[string]string) { c[7].Source = solution }
	if leaks, _ := assignmentOf(t, all).Leaks([]string{"w.AddScaledVec(w, y, x)"}); len(leaks) != 1 {
		t.Errorf("the rest of the solution: %v, want one leak", leaks)
	}
}

// An output that is added to a release is looked at too: nothing relies on its having been cleared.
func TestLeakInOutput(t *testing.T) {
	a := assignmentOf(t, nil)
	c := a.Notebooks[0].Release.Cells[2]
	c.Outputs = []nbformat.Output{{Type: "display_data", Data: map[string]any{"text/html": "<pre>" + solution + "</pre>"}}}
	if leaks, _ := a.Leaks(nil); len(leaks) != 1 || leaks[0].Where != "ps1.ipynb, cell 3, outputs[].data.text/html" {
		t.Errorf("%v", leaks)
	}
}

// More than can be decoded is not passed over in silence.
func TestUnsearched(t *testing.T) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(make([]byte, maxPacked+1))
	w.Close()
	a := assignmentOf(t, func(_ []*nbformat.Cell, f map[string]string) { f["bomb.gz"] = b.String() })
	if leaks, unsearched := a.Leaks(nil); len(leaks) > 0 || !slices.Equal(unsearched, []string{"bomb.gz"}) {
		t.Errorf("leaks %v, not searched %q, want bomb.gz", leaks, unsearched)
	}
}

// Whatever lies beside a notebook, the search ends.
func FuzzLeaks(f *testing.F) {
	f.Add([]byte(solution), "x")
	f.Add([]byte("PK\x03\x04\x1f\x8b\x08\x78\x9c"), "\\u12&#1;%4"+to64("a"))
	x := newIndex(assignmentOf(f, nil).secrets(nil))
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		s := newSearch(x, 1<<20)
		s.stream(stream{elsewhere, []piece{{"x", string(data), true}, {"y", text, false}}, nil})
		for _, l := range s.leaks {
			if l.Error() == "" {
				t.Error("a leak without words")
			}
		}
	})
}
