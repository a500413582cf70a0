package collect

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/testkit/tier"
)

// Every kind of bad file is kept in its attempt as it was handed in, is no file of the
// submission, and has a fault with words for the student.
func TestBadFiles(t *testing.T) {
	old := `{"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [{"cells": []}]}`
	many := `{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [` + strings.TrimSuffix(strings.Repeat(`{"id":"a","cell_type":"raw","metadata":{},"source":""},`, 100_000), ",") + `]}`
	for name, c := range map[string]struct {
		files map[string]string
		kind  Kind
		words string
	}{
		"not JSON":             {map[string]string{"ps1.ipynb": "Hello"}, NotJSON, "not valid JSON"},
		"cut off":              {map[string]string{"ps1.ipynb": right("x")[:100]}, NotJSON, "cut off"},
		"JSON, no notebook":    {map[string]string{"ps1.ipynb": `{"a": 1}`}, NotValid, "not a notebook"},
		"a list":               {map[string]string{"ps1.ipynb": `[1, 2]`}, NotValid, "want a JSON object"},
		"a cell of its own":    {map[string]string{"ps1.ipynb": `{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [7]}`}, NotValid, "cell 1"},
		"nbformat 3, no cells": {map[string]string{"ps1.ipynb": old}, Elsewhere, "none of its cells"},
		"empty":                {map[string]string{"ps1.ipynb": ""}, Empty, "empty"},
		"blanks":               {map[string]string{"ps1.ipynb": " \n\n"}, Empty, "empty"},
		"a Word file":          {map[string]string{"solution.docx": "PK\x03\x04word"}, OtherType, "a Word file"},
		"a Word file by name":  {map[string]string{"ps1.ipynb": "PK\x03\x04word/document.xml"}, OtherType, "Word"},
		"a PDF":                {map[string]string{"ps1.pdf": "%PDF-1.7"}, OtherType, "a PDF"},
		"a page of Colab":      {map[string]string{"ps1.ipynb": "\n<!DOCTYPE html><title>Colab"}, OtherType, "a Web page"},
		"a program":            {map[string]string{"ps1.py": "print(1)"}, OtherType, "ps1.py is a program"},
		"UTF-16":               {map[string]string{"ps1.ipynb": "\xff\xfe{\x00}\x00"}, NotValid, "not a notebook"},
		"another assignment's": {map[string]string{"ps1.ipynb": notebookOf("x", "setup", "p1", "p2")}, Elsewhere, "it is ps2.ipynb of the assignment ps2"},
		"nobody's notebook":    {map[string]string{"ps1.ipynb": notebookOf("x")}, Elsewhere, "none of its cells"},
		"two notebooks":        {map[string]string{"a.ipynb": right("a"), "b.ipynb": right("b")}, Several, "a.ipynb, b.ipynb"},
		"two in folders":       {map[string]string{"a/ps1.ipynb": right("a"), "b/ps1.ipynb": right("b")}, Several, "a/ps1.ipynb, b/ps1.ipynb"},
		"no zip":               {map[string]string{"ps1.zip": "PK\x03\x04 is all"}, BadZip, "not a zip file, or was cut off"},
		"a zip cut off":        {map[string]string{"ps1.zip": zipOf(t, entry{"ps1.ipynb", right("x")})[:200]}, BadZip, "cut off"},
		"100,000 cells":        {map[string]string{"ps1.ipynb": many}, TooLarge, "more than 10000 cells"},
		"a million numbers":    {map[string]string{"ps1.ipynb": `{"nbformat": 4, "metadata": {"x": [0` + strings.Repeat(",0", 1_000_000) + `]}}`}, TooLarge, "values of JSON"},
		"nested deep":          {map[string]string{"ps1.ipynb": `{"nbformat": 4, "cells": ` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`}, TooLarge, "nested more than 200"},
		"33 MB":                {map[string]string{"ps1.ipynb": right(strings.Repeat("x", 16<<20))}, TooLarge, "32 MB"},
		"data alone":           {map[string]string{"x.csv": "1,2", "y.csv": ""}, OtherType, "x.csv is text; y.csv is an empty file"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "33 MB" || name == "a million numbers" {
				tier.Long(t)
			}
			course, in := newCourse(t), t.TempDir()
			for file, text := range c.files {
				write(t, in, map[string]string{"ada/" + file: text})
			}
			res := collect(t, course, Options{Student: "ada", Inputs: []string{filepath.Join(in, "ada")}})
			if len(res.Taken) != 1 || len(res.Refused) > 0 {
				t.Fatalf("%+v", res)
			}
			rec := record(t, course, "ada")
			f := rec.Fault("ps1")
			if f == nil || f.Kind != c.kind || !strings.Contains(f.Reason, c.words) {
				t.Errorf("fault %+v, want of kind %q and with %q", f, c.kind, c.words)
			}
			if _, err := os.Stat(filepath.Join(course, "submitted/ada/ps1/ps1.ipynb")); err == nil {
				t.Error("the submission has a notebook")
			}
			kept := tree(t, filepath.Join(course, "attempts/ada/ps1", rec.Attempt, "files"))
			for file, text := range c.files {
				if kept[file] != text {
					t.Errorf("%s is kept with %d bytes, want %d", file, len(kept[file]), len(text))
				}
			}
		})
	}
}

// A notebook under another name counts by its cells, a draft beside it does not, and
// what stands beside a good one is no fault.
func TestGoodBesideBad(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
		notes []string
	}{
		"another name":      {map[string]string{"Lösung final.ipynb": right("x")}, []string{"ps1.ipynb"}, []string{"Lösung final.ipynb is ps1.ipynb by its cells"}},
		"a draft":           {map[string]string{"ps1.ipynb": right("x"), "ps1-Copy1.ipynb": right("y")}, []string{"ps1.ipynb"}, []string{"ps1-Copy1.ipynb is another ps1.ipynb and does not count"}},
		"twice":             {map[string]string{"a.ipynb": right("x"), "b.ipynb": right("x")}, []string{"ps1.ipynb"}, []string{"a.ipynb is ps1.ipynb by its cells", "b.ipynb is another ps1.ipynb and does not count"}},
		"a PDF with it":     {map[string]string{"ps1.ipynb": right("x"), "ps1.pdf": "%PDF"}, []string{"ps1.ipynb", "ps1.pdf"}, nil},
		"some cells gone":   {map[string]string{"ps1.ipynb": notebookOf("x", "q2")}, []string{"ps1.ipynb"}, nil},
		"the record's name": {map[string]string{"ps1.ipynb": right("x"), RecordFile: "{}", "Timestamp.TXT": "1999"}, []string{"ps1.ipynb"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			course, in := newCourse(t), t.TempDir()
			for file, text := range c.files {
				write(t, in, map[string]string{"ada/" + file: text})
			}
			collect(t, course, Options{Inputs: []string{filepath.Join(in, "ada")}})
			rec := record(t, course, "ada")
			if f := rec.Fault("ps1"); f != nil {
				t.Errorf("fault: %+v", f)
			}
			for i := range c.want {
				c.want[i] = "ada/ps1/" + c.want[i]
			}
			if got := names(t, course); !slices.Equal(got, c.want) {
				t.Errorf("submitted/ has %q, want %q", got, c.want)
			}
			if !slices.Equal(rec.Notes, c.notes) {
				t.Errorf("notes %q, want %q", rec.Notes, c.notes)
			}
			if rec.Student != "ada" || rec.Assignment != "ps1" || !rec.Timestamp.IsZero() {
				t.Errorf("the student wrote the record or the time: %+v", rec)
			}
		})
	}
}

// An assignment of two notebooks: what is wrong with one leaves the other its points.
func TestSeveralNotebooks(t *testing.T) {
	course, in := newCourse(t), t.TempDir()
	write(t, course, map[string]string{"release/ps1/second.ipynb": notebookOf("", "s1", "s2")})
	write(t, in, map[string]string{
		"ada/ps1.ipynb": right("x"), "ada/second.ipynb": "Hello",
		"bob/ps1.ipynb": right("x"),
		"cy/both.ipynb": notebookOf("x", "s1", "s2"), "cy/ps1.ipynb": right("x"),
	})
	collect(t, course, Options{Inputs: []string{in}})
	for student, want := range map[string][2]Kind{"ada": {"", NotJSON}, "bob": {"", Missing}, "cy": {"", ""}} {
		rec := record(t, course, student)
		for i, notebook := range []string{"ps1", "second"} {
			var got Kind
			if f := rec.Fault(notebook); f != nil {
				got = f.Kind
			}
			if got != want[i] {
				t.Errorf("%s, %s: fault %q, want %q", student, notebook, got, want[i])
			}
		}
	}
}

// Without a release nothing says what the notebooks are: all are taken, and none is a
// fault of the whole submission.
func TestNoRelease(t *testing.T) {
	course, in := t.TempDir(), t.TempDir()
	write(t, course, map[string]string{"course.toml": ""})
	write(t, in, map[string]string{"ada/any (2).ipynb": right("x"), "bob/x.docx": "PK\x03\x04"})
	collect(t, course, Options{Inputs: []string{in}})
	if got, want := names(t, course), []string{"ada/ps1/any.ipynb", "bob/ps1/x.docx"}; !slices.Equal(got, want) {
		t.Errorf("submitted/ has %q, want %q", got, want)
	}
	if f := record(t, course, "bob").Fault("whatever"); f == nil || f.Kind != OtherType {
		t.Errorf("bob's fault: %+v", f)
	}
}

func TestPlainStem(t *testing.T) {
	for name, want := range map[string]string{
		"ps1.ipynb": "ps1", "a/ps1 (1).ipynb": "ps1", "ps1-2.ipynb": "ps1", "ps1-Copy1.ipynb": "ps1",
		"ps-1": "ps", "7.ipynb": "7", "(1).ipynb": "(1)", "a (b).ipynb": "a (b)", ".ipynb": "",
	} {
		if got := plainStem(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func BenchmarkJudge(b *testing.B) {
	name := filepath.Join(b.TempDir(), "ps1.ipynb")
	var ids []string
	for i := range 50 {
		ids = append(ids, fmt.Sprintf("cell-%d", i))
	}
	if err := os.WriteFile(name, []byte(notebookOf(strings.Repeat("x := 1\n", 100), ids...)), 0o666); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, fault := judge(name); fault != nil {
			b.Fatal(fault)
		}
	}
}
