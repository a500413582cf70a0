package nbformat_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"
	"pgregory.net/rapid"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/property"
	"marginalia/internal/testkit/testfile"
)

// A notebook of the file's cells and whole metadata.
func notebookOf(cells ...string) string {
	return `{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[` + strings.Join(cells, ",") + `]}`
}

func code(id, source string) string {
	return `{"cell_type":"code","id":"` + id + `","metadata":{"m":1},"outputs":[],"execution_count":null,"source":"` + source + `"}`
}

func wide(text string, mark, big bool) string {
	var b strings.Builder
	units := utf16.Encode([]rune(text))
	if mark {
		units = append([]uint16{0xfeff}, units...)
	}
	for _, u := range units {
		if big {
			b.WriteString(string([]byte{byte(u >> 8), byte(u)}))
		} else {
			b.WriteString(string([]byte{byte(u), byte(u >> 8)}))
		}
	}
	return b.String()
}

// Flaws of a file that change none of its answers cost nothing: its cells have the sources that they have without the flaw,
// ids of their own, and what is written of it is a notebook again.
func TestMend(t *testing.T) {
	right := notebookOf(code("a", "x := 1 // für"), code("b", "y := 2"))
	ansi := must.Get(charmap.Windows1252.NewEncoder().String(right)).Or(t)
	with := func(old, new string) string { return strings.Replace(right, old, new, 1) }
	for name, text := range map[string]string{
		"nothing":            right,
		"ids twice":          with(`"id":"b"`, `"id":"a"`),
		"ids of other kinds": with(`"id":"b"`, `"id":["?"]`),
		"a byte order mark":  "\ufeff" + right,
		"two of them":        "\ufeff\ufeff" + right,
		"UTF-16, LE":         wide(right, true, false),
		"UTF-16, BE":         wide(right, true, true),
		"UTF-16, LE, bare":   wide(right, false, false),
		"UTF-16, BE, bare":   wide(right, false, true),
		"ANSI":               ansi,
		"bytes that are bad": with(`{"m":1}`, "{\"m\":\"\xff\xfe ü\"}"),
		"half a character":   with(`"outputs":[]`, `"outputs":[{"output_type":"stream","name":"stdout","text":"\ud83d"}]`),
		"not a number":       with(`{"m":1}`, `{"m":NaN,"n":[Infinity,-Infinity]}`),
		"keys twice":         with(`"metadata":{"m":1}`, `"metadata":{"m":1},"metadata":{"m":2}`),
		"NULs behind it":     right + strings.Repeat("\x00", 4096),
		"text behind it":     right + "\n" + right,
		"metadata a list":    strings.ReplaceAll(right, `{"m":1}`, "[]"),
		"metadata null":      strings.ReplaceAll(right, `{"m":1}`, "null"),
		"no metadata":        strings.ReplaceAll(right, `"metadata":{"m":1},`, ""),
		"no outputs":         strings.ReplaceAll(right, `"outputs":[],`, ""),
		"outputs an object":  strings.ReplaceAll(right, `"outputs":[]`, `"outputs":{"a":1}`),
		"counts as strings":  strings.ReplaceAll(right, `"execution_count":null`, `"execution_count":"7"`),
		"counts below 0":     strings.ReplaceAll(right, `"execution_count":null`, `"execution_count":-1.5`),
		"unknown types":      strings.ReplaceAll(right, `"cell_type":"code"`, `"cell_type":"golang"`),
		"lists with numbers": with(`"y := 2"`, `["y ",":= ",2]`),
		"no minor":           with(`"nbformat_minor":5,`, ""),
		"minor of 4.0":       strings.NewReplacer(`"nbformat_minor":5`, `"nbformat_minor":0`, `"id":"a",`, "", `"id":"b",`, "").Replace(right),
		"minor of the time":  with(`"nbformat_minor":5`, `"nbformat_minor":99`),
		"no nbformat":        with(`"nbformat":4,`, ""),
		"a wrong output":     with(`"outputs":[]`, `"outputs":[7,{"output_type":"hologram"},{"output_type":"display_data","data":{"text/plain":7,"application/json":NaN}}]`),
		"keys of nobody":     with(`"outputs":[]`, `"outputs":[],"prompt":7`),
		"bad tags":           with(`{"m":1}`, `{"tags":["a","a","b,c",7],"collapsed":"no","jupyter":7,"name":""}`),
		"a tab in a string":  with("x := 1", "x :=\t1"),
		"format 3":           `{"nbformat":3,"nbformat_minor":0,"metadata":{"name":""},"worksheets":[{"cells":[{"cell_type":"code","language":"go","collapsed":false,"input":"x := 1 // für","prompt_number":1,"outputs":[{"output_type":"pyout","text":"1","prompt_number":1,"metadata":{}},{"output_type":"pyerr","ename":"a","evalue":"b","traceback":[]},{"output_type":"stream","stream":"stdout","text":"x"}]},{"cell_type":"code","input":["y := 2"],"outputs":[]}],"metadata":{}}]}`,
		"17 MB of output":    with(`"outputs":[]`, `"outputs":[{"output_type":"stream","name":"stdout","text":"`+strings.Repeat("one line", 17<<17)+`"}]`),
		"many outputs":       with(`"outputs":[]`, `"outputs":[`+strings.Repeat("[],", 600_000)+`7]`),
	} {
		nb, _, err := nbformat.Mend([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var sources []string
		for _, c := range nb.Cells {
			sources = append(sources, c.Type+" "+strings.ReplaceAll(c.Source, "\t", " "))
		}
		if got, want := strings.Join(sources, "; "), "code x := 1 // für; code y := 2"; got != want {
			t.Errorf("%s: cells %q, want %q", name, got, want)
		}
		sound(t, name, nb)
	}
}

// sound checks that a notebook is written, and read back as the same by the strict reader.
func sound(t interface{ Errorf(string, ...any) }, name string, nb *nbformat.Notebook) {
	data, err := nb.Encode()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	again, err := nbformat.Decode(data)
	if err != nil {
		t.Errorf("%s: what was written: %v", name, err)
		return
	}
	if second, err := again.Encode(); err != nil || string(second) != string(data) {
		t.Errorf("%s: the notebook is another when it was written and read, %v", name, err)
	}
}

// Sound notebooks are read as Decode reads them.
func TestMendAsDecode(t *testing.T) {
	files, err := filepath.Glob("testdata/corpus/*.ipynb")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		data := []byte(testfile.Read(t, file))
		strict, err := nbformat.Decode(data)
		if err != nil {
			continue
		}
		nb, notes, err := nbformat.Mend(data)
		if err != nil || notes != nil {
			t.Errorf("%s: %v, %q", file, err, notes)
			continue
		}
		if len(nb.Cells) != len(strict.Cells) {
			t.Fatalf("%s: %d cells, want %d", file, len(nb.Cells), len(strict.Cells))
		}
		for i, c := range nb.Cells {
			if want := strict.Cells[i]; c.ID != want.ID || c.Type != want.Type || c.Source != want.Source || len(c.Outputs) != len(want.Outputs) {
				t.Errorf("%s: cell %d is %+v, want %+v", file, i+1, c, want)
			}
		}
	}
}

// What is no notebook is said by its kind, with what to hand in instead.
func TestMendRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		kind  nbformat.Kind
		words string
	}{
		"no bytes":        {"", nbformat.Empty, "empty"},
		"NULs":            {strings.Repeat("\x00", 5000), nbformat.Empty, "empty"},
		"a Web page":      {"\n<!DOCTYPE HTML><html>", nbformat.OtherType, "a Web page, not a notebook: hand in the .ipynb file"},
		"a Word file":     {"PK\x03\x04word/document.xml", nbformat.OtherType, "Word"},
		"a shortcut":      {"L\x00\x00\x00\x01\x14\x02\x00\x00", nbformat.OtherType, "a shortcut of Windows to a file, not a notebook: hand in the file that it leads to"},
		"of iCloud":       {"bplist00\x5cNSURLNameKey", nbformat.OtherType, "iCloud"},
		"of Git LFS":      {"version https://git-lfs.github.com/spec/v1\noid sha256:1", nbformat.OtherType, "git lfs pull"},
		"of Google Drive": {`{"url":"https://colab","doc_id":"1"}`, nbformat.OtherType, "Google Drive"},
		"a program":       {"package main\n", nbformat.OtherType, "a program in Go"},
		"cut off":         {notebookOf(code("a", "x"))[:60], nbformat.NotJSON, "line 1: the JSON ends in the middle"},
		"a merge":         {"{\n<<<<<<< HEAD\n", nbformat.NotJSON, "line 2: not valid JSON: it has the marks of a merge"},
		"data":            {`{"a":1}`, nbformat.NotValid, "no list of cells"},
		"a list":          {`[1]`, nbformat.NotValid, "want a JSON object"},
		"nested":          {notebookOf(strings.Repeat("[", 1_000_000)), nbformat.TooLarge, "nested more than 200"},
		"nested outputs":  {notebookOf(`{"cell_type":"code","outputs":` + strings.Repeat("[", 1_000_000)), nbformat.TooLarge, "nested more than 200"},
		"many cells":      {notebookOf(strings.Repeat("{},", 20_000) + "{}"), nbformat.TooLarge, "more than 10000 cells"},
		"a long source":   {notebookOf(code("a", strings.Repeat("x", 33<<20)), code("b", "")), nbformat.TooLarge, "32 MB without its outputs"},
		"a bad escape":    {notebookOf(code("a", `\q`)), nbformat.NotJSON, "escape"},
		"a bad number":    {`{"nbformat":4,"cells":[],"a":1e}`, nbformat.NotJSON, "line 1: not valid JSON: '1', want a value"},
	} {
		_, _, err := nbformat.Mend([]byte(c.text))
		bad, ok := errors.AsType[*nbformat.Unreadable](err)
		if !ok || bad.Kind != c.kind || !strings.Contains(bad.Why, c.words) {
			t.Errorf("%s: %v, want of kind %q and with %q", name, err, c.kind, c.words)
		}
	}
}

// Whatever becomes of a notebook's JSON, it is read or refused with words, twice in the same way.
func TestMendProperty(t *testing.T) {
	values := []string{"null", "true", "-1", "1e999", "NaN", `""`, `"\ud800"`, `"code"`, "[]", "{}", `[[1]]`, `{"a":{"b":[null]}}`, `"a,b"`, "\x00", "\xff", "{", "]", `"`}
	property.Check(t, func(t *rapid.T) {
		for range 40 {
			text := notebookOf(code("a", "x := 1"), `{"cell_type":"markdown","id":"m","metadata":{"tags":["t"],"nbgrader":{"grade_id":"q"}},"source":["a\n","b"],"attachments":{"f.png":{"image/png":"AA=="}}}`,
				`{"cell_type":"code","id":"c","metadata":{},"source":"","execution_count":1,"outputs":[{"output_type":"stream","name":"stdout","text":["a"]},{"output_type":"execute_result","execution_count":1,"metadata":{},"data":{"text/plain":"x","application/json":{"a":[1]}}},{"output_type":"error","ename":"e","evalue":"v","traceback":["t"]}]}`)
			for range rapid.IntRange(1, 4).Draw(t, "changes") {
				spots := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(`:,[]{}`, r) })
				spot := spots[rapid.IntRange(0, len(spots)-1).Draw(t, "spot")]
				value := rapid.SampledFrom(values).Draw(t, "value")
				if rapid.Bool().Draw(t, "twice") {
					value = spot + "," + value
				}
				text = strings.Replace(text, spot, value, 1)
			}
			nb, notes, err := nbformat.Mend([]byte(text))
			if err != nil {
				if _, ok := errors.AsType[*nbformat.Unreadable](err); !ok || nb != nil {
					t.Fatalf("%q: %v", text, err)
				}
				continue
			}
			sound(t, text, nb)
			again, more, _ := nbformat.Mend([]byte(text))
			first, _ := nb.Encode()
			second, _ := again.Encode()
			if string(first) != string(second) || strings.Join(notes, "\n") != strings.Join(more, "\n") {
				t.Fatalf("%q is read in two ways", text)
			}
		}
	})
}
