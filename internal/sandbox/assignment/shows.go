package assignment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"marginalia/internal/notebook/nbformat"
)

// A Show is a program that runs cells of a submission for what they print and show.
type Show struct {
	Cells []*nbformat.Cell // in the order of the guest's
	Key   string           // a hash of its text
	Draws bool             // it may draw figures, and is large

	nb     *nbformat.Notebook
	number int
	split  bool
}

// A showReply has the programs of a submission, whose cells are numbers.
type showReply struct {
	Programs []shownProgram
	Words    map[int]string
}

type shownProgram struct {
	Cells []int
	Key   string
	Draws bool
}

// Shows makes programs of the cells with a main function in a submission, as GoNB would run them: each
// finds the given cells, the answers as they are judged, and what else the student declares. The words
// say why a cell has none.
func (c *Compiler) Shows(ctx context.Context, nb *nbformat.Notebook) ([]*Show, map[*nbformat.Cell]string, error) {
	return c.shows(ctx, nb, false)
}

// Split returns a program for each of several cells, for a program that the compiler refuses.
func (c *Compiler) Split(ctx context.Context, s *Show) ([]*Show, error) {
	if len(s.Cells) < 2 {
		return nil, nil
	}
	all, _, err := c.shows(ctx, s.nb, true)
	return slices.DeleteFunc(all, func(one *Show) bool { return !slices.Contains(s.Cells, one.Cells[0]) }), err
}

func (c *Compiler) shows(ctx context.Context, nb *nbformat.Notebook, split bool) ([]*Show, map[*nbformat.Cell]string, error) {
	cells, _ := c.assignment.submitted(nb)
	r, err := c.request(ctx, nb, compileRequest{Show: -1, Split: split})
	if err != nil {
		return nil, nil, err
	}
	var all []*Show
	for i, p := range r.Shown.Programs {
		s := &Show{Key: p.Key, Draws: p.Draws, nb: nb, number: i, split: split}
		for _, at := range p.Cells {
			s.Cells = append(s.Cells, cells[at].Cell)
		}
		all = append(all, s)
	}
	words := map[*nbformat.Cell]string{}
	for i, why := range r.Shown.Words {
		words[cells[i].Cell] = why
	}
	return all, words, nil
}

// Show builds a program in dir, and returns its file.
func (c *Compiler) Show(ctx context.Context, s *Show, dir string) (string, error) {
	r, err := c.request(ctx, s.nb, compileRequest{Show: 1 + s.number, Split: s.split, Dir: dir})
	return r.Made.File, err
}

// show answers a request for programs, or for one of them to be built.
func (a *Assignment) show(ctx context.Context, nb *nbformat.Notebook, q compileRequest) (r showReply, file string, err error) {
	h := sha256.Sum256(append(q.Notebook, fmt.Sprint(q.Split)...))
	if key := hex.EncodeToString(h[:]); a.shown != key {
		if a.programs, a.unrun, err = a.shows(ctx, nb, q.Split); err != nil {
			return r, "", err
		}
		a.shown = key
	}
	if q.Show > 0 {
		dir, err := filepath.Abs(q.Dir)
		if err != nil || q.Show > len(a.programs) {
			return r, "", errors.Join(err, errors.New("assignment: no such program"))
		}
		file = filepath.Join(dir, "guest.wasm")
		err = a.toolchain.build(ctx, a.root, dir, a.programs[q.Show-1].files, file)
		if refused, ok := errors.AsType[*compileError](err); ok {
			why := "it does not compile"
			if m := compilerLine.FindStringSubmatch(refused.text); m != nil {
				why = fmt.Sprintf("it does not compile: cell %s, line %s: %s", m[1], m[2], m[3])
			}
			err = &Refused{short(why)}
		}
		return r, file, err
	}
	for _, p := range a.programs {
		r.Programs = append(r.Programs, shownProgram{p.cells, keyOf(p.files), p.draws})
	}
	r.Words = map[int]string{}
	for i, u := range a.unrun {
		r.Words[i] = u.why
	}
	return r, "", nil
}

// keyOf is a hash of a program's text.
func keyOf(files map[string][]byte) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%s %x\n", name, sha256.Sum256(files[name]))
	}
	return hex.EncodeToString(h.Sum(nil))
}
