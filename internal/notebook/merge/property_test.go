package merge

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
)

// A hand edits a notebook at random: the reader's or the lecturer's.
type hand struct {
	name    string
	r       *rand.Rand
	n       int             // of lines written
	lines   map[string]bool // that it wrote and that are in the notebook
	deleted map[string]bool // ids of cells
}

func (h *hand) line() string {
	h.n++
	line := fmt.Sprintf("%s-%d", h.name, h.n)
	h.lines[line] = true
	return line
}

func (h *hand) newCell() *nbformat.Cell {
	c := &nbformat.Cell{ID: fmt.Sprintf("%s-cell-%d", h.name, h.n+1), Type: []string{"code", "markdown", "raw"}[h.r.IntN(3)], Metadata: map[string]any{}}
	c.Source = h.line()
	return c
}

// edit makes up to four changes of all kinds.
func (h *hand) edit(t *testing.T, nb *nbformat.Notebook) *nbformat.Notebook {
	nb = must.Get(nbformat.Decode(encoded(t, nb))).Or(t) // shares nothing
	for range h.r.IntN(5) {
		at := h.r.IntN(len(nb.Cells) + 1)
		if at == len(nb.Cells) || len(nb.Cells) < 4 || h.r.IntN(4) == 0 {
			nb.Cells = slices.Insert(nb.Cells, at, h.newCell())
			continue
		}
		c := nb.Cells[at]
		switch h.r.IntN(7) {
		case 0, 1: // a line at the end, or in place of the last one
			text := strings.Split(c.Source, "\n")
			if last := text[len(text)-1]; h.r.IntN(2) == 0 {
				delete(h.lines, last)
				text = text[:len(text)-1]
			}
			c.Source = strings.Join(append(text, h.line()), "\n")
		case 2:
			for line := range strings.SplitSeq(c.Source, "\n") {
				delete(h.lines, line)
			}
			h.deleted[c.ID] = true
			nb.Cells = slices.Delete(nb.Cells, at, at+1)
		case 3: // moves
			nb.Cells = slices.Delete(nb.Cells, at, at+1)
			nb.Cells = slices.Insert(nb.Cells, h.r.IntN(len(nb.Cells)+1), c)
		case 4: // runs
			if c.Type == "code" {
				count := h.r.IntN(100)
				c.ExecutionCount = &count
				c.Outputs = []nbformat.Output{{Type: "stream", Name: "stdout", Text: fmt.Sprintf("printed for %s: %d\n", h.name, count)}}
			}
		case 5:
			c.Metadata[h.name] = fmt.Sprint(h.r.IntN(10))
		case 6:
			nb.Metadata[h.name] = fmt.Sprint(h.r.IntN(10))
		}
	}
	return nb
}

// TestProperty has 200 readers work in copies of a lecture that changes 20 times. After each change:
//   - every line that the reader wrote is in the copy, and every cell of the lecture that is new or
//     changed is in it
//   - cells that the reader ran or marked, and whose source the lecture left alone, have the reader's outputs and metadata
//   - a cell that the reader deleted is back only if the lecture changed it
//   - the copy is a notebook of format 4.5 with unique ids
//   - merging once more changes nothing, with the old base as with the new one
//   - where the reader changed nothing, the copy is the lecture
func TestProperty(t *testing.T) {
	clashes := 0
	for seed := range uint64(200) {
		lecturer := &hand{"lecture", rand.New(rand.NewPCG(seed, 1)), 0, map[string]bool{}, map[string]bool{}}
		reader := &hand{"reader", rand.New(rand.NewPCG(seed, 2)), 0, map[string]bool{}, map[string]bool{}}
		base := &nbformat.Notebook{Minor: 5, Metadata: map[string]any{}}
		for range 8 {
			base.Cells = append(base.Cells, lecturer.newCell())
		}
		ours := base
		for round := range 20 {
			at := fmt.Sprintf("seed %d, round %d", seed, round)
			reader.deleted = map[string]bool{}
			ours = reader.edit(t, ours)
			theirs := lecturer.edit(t, base)
			got, ch := Notebooks(base, ours, theirs)
			clashes += len(ch.Clashes)
			if pure, _ := Notebooks(base, base, theirs); !bytes.Equal(encoded(t, pure), encoded(t, theirs)) {
				t.Errorf("%s: an untouched copy becomes %s, want %s", at, short(pure), short(theirs))
			}
			check(t, at, reader, base, ours, theirs, got, ch)
			data := encoded(t, got)
			again, err := nbformat.Decode(data)
			if err != nil {
				t.Fatalf("%s: %v", at, err)
			}
			for _, b := range []*nbformat.Notebook{base, theirs} {
				twice, _ := Notebooks(b, again, theirs)
				if !bytes.Equal(encoded(t, twice), data) {
					t.Errorf("%s: merged once more, with the old base %v:\n%s\nwant\n%s", at, b == base, short(twice), short(got))
				}
			}
			if t.Failed() {
				t.Fatalf("base %s\nours %s\ntheirs %s\ngot %s", short(base), short(ours), short(theirs), short(got))
			}
			base, ours = theirs, again
		}
	}
	if t.Logf("%d clashes", clashes); clashes < 200 {
		t.Error("so few clashes do not test them")
	}
}

func encoded(t *testing.T, nb *nbformat.Notebook) []byte {
	t.Helper()
	return must.Get(nb.Encode()).Or(t)
}

// check says what of the first four properties does not hold.
func check(t *testing.T, at string, reader *hand, base, ours, theirs, got *nbformat.Notebook, ch Changes) {
	t.Helper()
	b, o, r := byID(base.Cells), byID(ours.Cells), byID(got.Cells)
	has, sources := map[string]bool{}, map[string]bool{}
	for _, c := range got.Cells {
		sources[c.Source] = true
		for line := range strings.SplitSeq(c.Source, "\n") {
			has[line] = true
		}
	}
	for line := range reader.lines {
		if !has[line] {
			t.Errorf("%s: the reader's line %s is lost", at, line)
		}
	}
	for _, c := range theirs.Cells {
		switch was := b[c.ID]; {
		case (was == nil || was.Source != c.Source) && !sources[c.Source]:
			t.Errorf("%s: the lecture's cell %s is not there", at, c.ID)
		case was != nil && same(was, c) && o[c.ID] != nil:
			if o[c.ID].Metadata["reader"] != r[c.ID].Metadata["reader"] {
				t.Errorf("%s: the metadata of %s is lost", at, c.ID)
			}
			if !sameOutputs(o[c.ID], was) && !sameOutputs(o[c.ID], r[c.ID]) {
				t.Errorf("%s: the outputs of %s are lost", at, c.ID)
			}
		case was != nil && same(was, c) && reader.deleted[c.ID] && r[c.ID] != nil &&
			!slices.ContainsFunc(ours.Cells, func(o *nbformat.Cell) bool { return same(o, c) }): // one that the reader took after a clash
			t.Errorf("%s: the reader deleted %s, and it is back", at, c.ID)
		}
	}
	if ours.Metadata["reader"] != got.Metadata["reader"] {
		t.Errorf("%s: the reader's metadata of the notebook is lost", at)
	}
	// The reader's new cells stand behind the cell that they stood behind, or have only cells of the lecture between.
	place := func(id string) int {
		return slices.IndexFunc(got.Cells, func(c *nbformat.Cell) bool { return c.ID == id })
	}
	lecture := byID(theirs.Cells)
	for i, c := range ours.Cells[1:] {
		before := ours.Cells[i].ID
		if !strings.HasPrefix(c.ID, "reader-cell-") || r[before] == nil || besides(before) {
			continue
		}
		from, to := place(before), place(c.ID)
		if to < from {
			t.Errorf("%s: the reader's cell %s is no longer behind %s", at, c.ID, before)
			continue
		}
		for _, between := range got.Cells[from+1 : to] {
			if lecture[between.ID] == nil && !besides(between.ID) {
				t.Errorf("%s: %s stands between %s and the reader's cell %s", at, between.ID, before, c.ID)
			}
		}
	}
}

// besides reports whether a clash has added the cell.
func besides(id string) bool {
	return strings.Contains(id, "-note-") || strings.Contains(id, "-lecture-")
}
