package nbformat_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// The corpus: NAME.json was written to NAME.ipynb by Python's nbformat (see testdata/make.py).
func TestEncodeAsPython(t *testing.T) {
	sources, err := filepath.Glob("testdata/corpus/*.json")
	if err != nil || len(sources) < 5 {
		t.Fatalf("corpus: %d files, %v", len(sources), err)
	}
	for _, source := range sources {
		t.Run(strings.TrimSuffix(filepath.Base(source), ".json"), func(t *testing.T) {
			want := testfile.Read(t, strings.TrimSuffix(source, ".json")+".ipynb")
			for _, name := range []string{source, strings.TrimSuffix(source, ".json") + ".ipynb"} {
				nb := nbtest.Read(t, name)
				got := must.Get(nb.Encode()).Or(t)
				if string(got) != want {
					t.Errorf("%s is written as\n%s\nPython writes\n%s", name, got, want)
				}
			}
		})
	}
}

// Keys the schema does not have are kept where they were: Python's nbformat
// refuses or drops some of these, so they have no file in the corpus.
func TestUnknownKeysKept(t *testing.T) {
	const text = `{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "a",
   "metadata": {},
   "new_cell_key": 1E400,
   "outputs": [
    {
     "data": {},
     "metadata": {},
     "output_type": "display_data",
     "transient": {
      "display_id": "x"
     }
    }
   ],
   "source": []
  },
  {
   "cell_type": "markdown",
   "id": "b",
   "metadata": {},
   "outputs": [],
   "source": []
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 7,
 "top": 0.10
}
`
	nb := must.Get(nbformat.Decode([]byte(text))).Or(t)
	got := must.Get(nb.Encode()).Or(t)
	if string(got) != text {
		t.Errorf("got\n%s", got)
	}
}

// What an id may be: cell_id in the schema of nbformat 4.5.
var validID = regexp.MustCompile(`^[a-zA-Z0-9-_]{1,64}$`)

func TestIDsMadeForOldMinor(t *testing.T) {
	const old = `{"nbformat":4,"nbformat_minor":2,"metadata":{},"cells":[
		{"cell_type":"markdown","metadata":{},"source":"same"},
		{"cell_type":"markdown","metadata":{},"source":"same"},
		{"cell_type":"code","metadata":{},"source":[],"outputs":[],"execution_count":null}]}`
	var first []string
	for range 2 {
		nb := must.Get(nbformat.Decode([]byte(old))).Or(t)
		var ids []string
		for _, c := range nb.Cells {
			if !validID.MatchString(c.ID) {
				t.Errorf("id %q is not valid", c.ID)
			}
			ids = append(ids, c.ID)
		}
		if ids[0] == ids[1] {
			t.Errorf("two cells of the same text got the same id %q", ids[0])
		}
		if first != nil && !reflect.DeepEqual(first, ids) {
			t.Errorf("second reading gives ids %q, first gave %q", ids, first)
		}
		first = ids
		// nbformat 4.2 knows no ids, so none are written: the file stays 4.2.
		text, err := nb.Encode()
		if err != nil || nb.Minor != 2 || !bytes.Contains(text, []byte(`"nbformat_minor": 2`)) || bytes.Contains(text, []byte(`"id"`)) {
			t.Errorf("Minor = %d, %v, written as\n%s", nb.Minor, err, text)
		}
	}
}

func TestParseErrors(t *testing.T) {
	cell := func(c string) string {
		return `{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[{"id":"a","cell_type":"markdown","metadata":{},"source":""},` + c + `]}`
	}
	for _, tt := range []struct{ name, text, want string }{
		{"empty", " \n", "the file is empty"},
		{"not JSON", "{\n\"cells\": ]", "line 2: not valid JSON"},
		{"cut off", "{\n\"cells\": [\n", "line 3: the JSON ends in the middle"},
		{"trailing", "{\"nbformat\":4,\"cells\":[]}\n\n{}", "line 3: text follows the end"},
		{"list", "[]", "want a JSON object at the top"},
		{"other JSON", "{}", "not a notebook"},
		{"nbformat 3", `{"nbformat":3,"nbformat_minor":0,"worksheets":[]}`, "nbformat 3 is older than 4: open the file in Jupyter"},
		{"nbformat 5", `{"nbformat":5,"nbformat_minor":0,"cells":[]}`, "nbformat 5 is newer than 4"},
		{"no cells", `{"nbformat":4,"nbformat_minor":5}`, "cells: want a list"},
		{"latin1", "{\n\"a\": \"\xe9\"}", "line 2: not UTF-8"},
		{"surrogate", "{\n\"a\": \"\\\\\\ud83d\\u0020\"}", `line 2: \ud83d is half of a surrogate pair`},
		{"low surrogate", `{"a": "\uDE00"}`, `line 1: \uDE00 is half`},
		{"duplicate id", cell(`{"id":"a","cell_type":"raw","metadata":{},"source":""}`), `cells 1 and 2 have the same id "a"`},
		{"bad id", cell(`{"id":"a b","cell_type":"raw","metadata":{},"source":""}`), `cell 2 (id "a b"): id: want 1 to 64`},
		{"bad type", cell(`{"id":"b","cell_type":"heading","metadata":{},"source":""}`), `cell 2 (id "b"): cell_type "heading"`},
		{"bad source", cell(`{"id":"b","cell_type":"raw","metadata":{},"source":[1]}`), `cell 2 (id "b"): source: want a string`},
		{"bad output", cell(`{"id":"b","cell_type":"code","metadata":{},"source":"","outputs":[{"output_type":"pyout"}]}`), `cell 2 (id "b"): output 1: output_type "pyout"`},
		{"bad count", cell(`{"id":"b","cell_type":"code","metadata":{},"source":"","outputs":[],"execution_count":-1}`), "execution_count: want an integer >= 0 or null"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := nbformat.Decode([]byte(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want it to say %q", err, tt.want)
			}
		})
	}
	// A pair is one character, and an escaped backslash begins no escape.
	if _, err := nbformat.Decode([]byte(`{"nbformat":4,"nbformat_minor":5,"cells":[],"metadata":{"a":"\ud83d\uDE00 \\ud83d"}}`)); err != nil {
		t.Error(err)
	}
}

func TestReadNamesFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.ipynb")
	testfile.Write(t, name, "{}")
	if _, err := nbformat.Read(name); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("error %v does not name %s", err, name)
	}
}

func TestEncodeErrors(t *testing.T) {
	for _, tt := range []struct {
		nb   *nbformat.Notebook
		want string
	}{
		{&nbformat.Notebook{Cells: []*nbformat.Cell{{Type: "raw"}}}, `cell 1: id ""`},
		{&nbformat.Notebook{Cells: []*nbformat.Cell{{ID: "a", Type: "raw"}, {ID: "a", Type: "raw"}}}, `cell 2: id "a": another cell has it too`},
		{&nbformat.Notebook{Metadata: map[string]any{"m": func() {}}}, "m: json: unsupported type"},
	} {
		if _, err := tt.nb.Encode(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v, want it to say %q", err, tt.want)
		}
	}
}

func TestEncodeGoValues(t *testing.T) {
	nb := &nbformat.Notebook{
		Metadata: map[string]any{"f": 0.5, "list": []float64{1, 2}, "s": []string{"x"}},
		Cells:    []*nbformat.Cell{{ID: "a", Type: "raw", Source: "bad \xff\xfe"}},
	}
	got := must.Get(nb.Encode()).Or(t)
	const want = `{
 "cells": [
  {
   "cell_type": "raw",
   "id": "a",
   "metadata": {},
   "source": [
    "bad ` + "\ufffd\ufffd" + `"
   ]
  }
 ],
 "metadata": {
  "f": 0.5,
  "list": [
   1,
   2
  ],
  "s": [
   "x"
  ]
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`
	if string(got) != want {
		t.Errorf("got\n%s", got)
	}
}

func TestAccessors(t *testing.T) {
	nb := nbtest.Read(t, "testdata/corpus/unicode.ipynb")
	if nb.Language() != "go" {
		t.Errorf("Language() = %q, want go", nb.Language())
	}
	c := nb.Cells[0]
	if !c.HasTag("raises-exception") || c.HasTag("raises") {
		t.Errorf("HasTag is wrong for %v", c.Metadata["tags"])
	}
	if v, ok := c.Setting("tolerance"); !ok || v.(interface{ String() string }).String() != "1e-09" {
		t.Errorf("Setting(tolerance) = %v, %v; the file has 1e-09", v, ok)
	}
	if _, ok := c.Setting("absent"); ok {
		t.Error("Setting(absent) is there")
	}
	delete(nb.Metadata, "kernelspec")
	if nb.Language() != "go" {
		t.Errorf("Language() without a kernelspec = %q, want that of language_info", nb.Language())
	}
}

func TestMergeStreams(t *testing.T) {
	s := func(name, text string) nbformat.Output {
		return nbformat.Output{Type: "stream", Name: name, Text: text}
	}
	in := []nbformat.Output{s("stdout", "a"), s("stdout", "b"), s("stderr", "c"), s("stdout", "d"), {Type: "error"}, s("stdout", "e"), s("stdout", "f")}
	want := []nbformat.Output{s("stdout", "ab"), s("stderr", "c"), s("stdout", "d"), {Type: "error"}, s("stdout", "ef")}
	if got := nbformat.MergeStreams(in); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if in[0].Text != "a" {
		t.Error("the argument was changed")
	}
}

func FuzzParse(f *testing.F) {
	names, _ := filepath.Glob("testdata/corpus/*")
	for _, name := range names {
		data := must.Get(os.ReadFile(name)).Or(f)
		f.Add(data)
	}
	f.Add([]byte(`{"nbformat":4,"cells":[{"cell_type":"code","source":["\u0085"],"attachments":{"":{"":["\r","\n"]}}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		nb, err := nbformat.Decode(data)
		if err != nil {
			return
		}
		first := must.Get(nb.Encode()).Or(t)
		again, err := nbformat.Decode(first)
		if err != nil {
			t.Fatalf("what Encode wrote does not parse: %v\n%s", err, first)
		}
		if !reflect.DeepEqual(nb, again) {
			t.Fatalf("Parse, Encode, Parse is not the identity:\n%#v\n%#v", nb, again)
		}
		second, err := again.Encode()
		if err != nil || string(first) != string(second) {
			t.Fatalf("second Encode differs (%v):\n%s\n%s", err, first, second)
		}
	})
}

// A notebook that was never executed may say nothing but its kernel's name.
func TestLanguage(t *testing.T) {
	for _, tt := range []struct{ metadata, want string }{
		{`{}`, ""},
		{`{"kernelspec":{"name":"python3","display_name":"Python 3"}}`, "python"},
		{`{"kernelspec":{"name":"julia-1.10"}}`, "julia"},
		{`{"kernelspec":{"name":"gonb","display_name":"Go (gonb)"}}`, "go"},
		{`{"kernelspec":{"name":"python3","language":"go"}}`, "go"},
		{`{"kernelspec":{"name":"gonb"},"language_info":{"name":"python"}}`, "python"},
	} {
		nb, err := nbformat.Decode([]byte(`{"nbformat":4,"nbformat_minor":5,"cells":[],"metadata":` + tt.metadata + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := nb.Language(); got != tt.want {
			t.Errorf("%s: the language is %q, want %q", tt.metadata, got, tt.want)
		}
	}
}
