package merge

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
)

// notebookOf reads a notebook in short: cells separated by blanks, each an id and after a colon its
// source, of code if it begins with a capital letter; after an equals sign what it has printed.
func notebookOf(short string) *nbformat.Notebook {
	nb := &nbformat.Notebook{Minor: 5, Metadata: map[string]any{"title": "T"}}
	for _, word := range strings.Fields(short) {
		id, source, _ := strings.Cut(word, ":")
		source, printed, ran := strings.Cut(source, "=")
		c := &nbformat.Cell{ID: id, Type: "markdown", Source: source, Metadata: map[string]any{}}
		if strings.ToLower(source) != source {
			c.Type = "code"
		}
		if ran {
			c.ExecutionCount = new(int)
			c.Outputs = []nbformat.Output{{Type: "stream", Name: "stdout", Text: printed}}
		}
		nb.Cells = append(nb.Cells, c)
	}
	return nb
}

// short is the notebook as notebookOf reads it. What a clash has added is note and lecture(id).
func short(nb *nbformat.Notebook) string {
	var words []string
	for _, c := range nb.Cells {
		word := c.ID + ":" + c.Source
		if before, _, ok := strings.Cut(c.ID, "-lecture-"); ok {
			word = "lecture(" + before + "):" + c.Source
		} else if c.Source == Note {
			word = "note"
		}
		for _, o := range c.Outputs {
			word += "=" + o.Text
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func TestNotebooks(t *testing.T) {
	for _, tt := range []struct{ name, base, ours, theirs, want string }{
		{"a new cell of each at one place", "a:1 b:2", "a:1 mine:m b:2", "a:1 new:n b:2", "a:1 mine:m new:n b:2"},
		{"each changed another", "a:1 b:2", "a:mine b:2", "a:1 b:new", "a:mine b:new"},
		{"both changed one", "a:A b:2", "a:Mine b:2", "a:New b:2", "note lecture(a):New a:Mine b:2"},
		{"both made the same change", "a:1", "a:2", "a:2", "a:2"},
		{"one that the reader deleted", "a:1 b:2", "b:2", "a:1 b:3", "b:3"},
		{"one that the reader deleted and the lecture changed", "a:1 b:2 c:3", "a:1 c:3", "a:1 b:new c:3", "a:1 b:new c:3"},
		{"one that the lecture deleted and the reader ran", "a:1 b:B", "a:1 b:B=out", "a:1", "a:1"},
		{"one that the lecture deleted and the reader changed", "a:1 b:2", "a:1 b:mine", "a:1", "a:1 b:mine"},
		{"the lecture moved one", "a:1 b:2 c:3", "a:1 mine:m b:2 c:3", "c:3 a:1 b:2", "c:3 a:1 mine:m b:2"},
		{"the reader moved one", "a:1 b:2 c:3", "c:3 a:1 b:2", "a:1 b:2 new:n c:3", "c:3 a:1 b:2 new:n"},
		{"the reader cut one and pasted it", "a:1 b:2 c:3", "b:2 c:3 f00:1", "a:new b:2 c:3", "b:2 c:3 a:new"},
		{"outputs of a cell that stays", "a:A=1", "a:A=2", "a:A=3", "a:A=2"},
		{"outputs of a cell that the reader did not run", "a:A=1", "a:A=1", "a:A=3", "a:A=3"},
		{"outputs of a cell that the lecture changed", "a:A=1", "a:A=2", "a:B=3", "a:B=3"},
		{"outputs of a cell that the reader changed", "a:A=1", "a:B=2", "a:A=3", "a:B=2"},
		{"new ones with one id", "a:1", "a:1 b:mine", "a:1 b:new", "a:1 note lecture(b):new b:mine"},
	} {
		base, theirs := notebookOf(tt.base), notebookOf(tt.theirs)
		got, _ := Notebooks(base, notebookOf(tt.ours), theirs)
		if s := short(got); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, s, tt.want)
		}
	}
}

// After a clash the reader takes either version, or works in the lecture's; or the lecture changes
// once more. The line that says what to do goes when that is done.
func TestAfterAClash(t *testing.T) {
	first, second, third := notebookOf("a:1 b:2 c:3"), notebookOf("a:1 b:new c:3"), notebookOf("a:1 b:newer c:4")
	clash, ch := Notebooks(first, notebookOf("a:1 b:mine c:3"), second)
	if s := short(clash); s != "a:1 note lecture(b):new b:mine c:3" || !slices.Equal(ch.Clashes, []string{"b"}) {
		t.Fatalf("%s, %+v", s, ch)
	}
	for _, tt := range []struct {
		name   string
		edit   func([]*nbformat.Cell) []*nbformat.Cell
		theirs *nbformat.Notebook
		want   string
	}{
		{"nothing, and the lecture changed another", nil, notebookOf("a:1 b:new c:4"), "a:1 note lecture(b):new b:mine c:4"},
		{"nothing, and the lecture changed it again", nil, third, "a:1 note lecture(b):newer b:mine c:4"},
		{"the lecture put a cell before", nil, notebookOf("a:1 x:x b:new c:3"), "a:1 x:x note lecture(b):new b:mine c:3"},
		{"takes the lecture's", func(c []*nbformat.Cell) []*nbformat.Cell { return slices.Delete(c, 3, 4) }, third, "a:1 b:newer c:4"},
		{"takes the reader's", func(c []*nbformat.Cell) []*nbformat.Cell { return slices.Delete(c, 2, 3) }, notebookOf("a:1 b:new c:4"), "a:1 b:mine c:4"},
		{"writes in the lecture's", func(c []*nbformat.Cell) []*nbformat.Cell {
			edited := *c[2]
			edited.Source = "both"
			c[2] = &edited
			return c
		}, third, "a:1 lecture(b):both note lecture(b):newer b:mine c:4"},
	} {
		ours := *clash
		ours.Cells = slices.Clone(clash.Cells)
		if tt.edit != nil {
			ours.Cells = tt.edit(ours.Cells)
		}
		got, _ := Notebooks(second, &ours, tt.theirs)
		if s := short(got); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, s, tt.want)
		}
		must.Get(got.Encode()).Or(t)
	}
	// Once more with the old base: the lecture's version is there already, with what the reader did in it.
	for _, edit := range []func(*nbformat.Cell){
		func(c *nbformat.Cell) { c.Source = "both" },
		func(c *nbformat.Cell) { c.Metadata = object(nil, c.Metadata, map[string]any{"tags": []any{"mine"}}) },
	} {
		ours, lecture := *clash, *clash.Cells[2]
		edit(&lecture)
		ours.Cells = slices.Clone(clash.Cells)
		ours.Cells[2] = &lecture
		got, _ := Notebooks(first, &ours, second)
		must.Get(got.Encode()).Or(t)
		if c := byID(got.Cells)[lecture.ID]; c == nil || c.Source != lecture.Source || fmt.Sprint(c.Metadata) != fmt.Sprint(lecture.Metadata) {
			t.Errorf("once more: %s, %+v", short(got), c)
		}
	}
}

// The reader has written in the line of a clash, and the lecture has the same version as then once
// more: the line is the reader's cell, and its id is not given to another.
func TestWrittenInTheLine(t *testing.T) {
	first, second, third := notebookOf("a:1"), notebookOf("a:2"), notebookOf("a:3")
	ours, _ := Notebooks(first, notebookOf("a:mine"), second)
	ours.Cells[0].Source = "thought"
	ours, _ = Notebooks(second, ours, third)
	for _, base := range []*nbformat.Notebook{third, second} { // and that again
		ours, _ = Notebooks(base, ours, second)
		must.Get(ours.Encode()).Or(t)
		var got []string
		for _, c := range ours.Cells {
			got = append(got, c.Source)
		}
		if !slices.Equal(got, []string{"thought", "2", "mine"}) {
			t.Errorf("cells %q", got)
		}
	}
}

// A clash in a cell with a picture. The lecture changes the picture alone: its version has the new one.
// A picture that the reader puts into the lecture's version makes that a cell of the reader's.
func TestPictures(t *testing.T) {
	with := func(source, picture string) *nbformat.Notebook {
		nb := notebookOf("a:" + source)
		nb.Cells[0].Attachments = map[string]any{"p.png": map[string]any{"image/png": picture}}
		return nb
	}
	pictures := func(nb *nbformat.Notebook) (of []string) {
		must.Get(nb.Encode()).Or(t)
		for _, c := range nb.Cells {
			if c.Source != Note {
				of = append(of, fmt.Sprint(c.Source, c.Attachments))
			}
		}
		return of
	}
	clash, _ := Notebooks(with("1", "A"), with("mine", "A"), with("2", "B"))
	got, _ := Notebooks(with("2", "B"), clash, with("2", "C"))
	if got, want := pictures(got), []string{"2map[p.png:map[image/png:C]]", "minemap[p.png:map[image/png:A]]"}; !slices.Equal(got, want) {
		t.Errorf("the lecture's picture: %q, want %q", got, want)
	}
	clash.Cells[1].Attachments = with("", "mine").Cells[0].Attachments
	got, _ = Notebooks(with("2", "B"), clash, with("3", "B"))
	if got, want := pictures(got), []string{"2map[p.png:map[image/png:mine]]", "3map[p.png:map[image/png:B]]", "minemap[p.png:map[image/png:A]]"}; !slices.Equal(got, want) {
		t.Errorf("the reader's picture: %q, want %q", got, want)
	}
}

// Metadata is merged key by key. The reader's value wins, and what nobody knows stays.
func TestMetadata(t *testing.T) {
	of := func(tags ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(tags); i += 2 {
			m[tags[i].(string)] = tags[i+1]
		}
		return m
	}
	base := of("both", 1, "lecture", 1, "reader", 1, "gone", 1, "deep", of("a", 1, "b", 1))
	ours := of("both", 2, "lecture", 1, "reader", 2, "gone", 1, "mine", 2, "deep", of("a", 2, "b", 1))
	theirs := of("both", 3, "lecture", 3, "reader", 1, "new", 3, "deep", of("a", 1, "b", 3))
	want := of("both", 2, "lecture", 3, "reader", 2, "mine", 2, "new", 3, "deep", of("a", 2, "b", 3))
	if got := object(base, ours, theirs); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	// A tag is the reader's work: the cell stays. A folded heading is none.
	a := notebookOf("a:1 b:2")
	for key, want := range map[string]string{"tags": "a:1 b:2", "collapsed": "a:1"} {
		ours := notebookOf("a:1 b:2")
		ours.Cells[1].Metadata[key] = []any{"mine"}
		if got, _ := Notebooks(a, ours, notebookOf("a:1")); short(got) != want {
			t.Errorf("the reader set %s: %s, want %s", key, short(got), want)
		}
	}
}
