package grade

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/sandbox/assignment"
	"marginalia/internal/sandbox/host"
)

// What a cell may print and show, in bytes, and all cells of a notebook.
const (
	cellText     = 64 << 10
	cellDisplays = 20
	cellShown    = 8 << 20
	allShown     = 32 << 20
	pieceSize    = 200 // of the frame of each output
)

// Limits are what cells may take of the processor. Zero for Notebook has none run.
type Limits struct{ Cell, Notebook time.Duration }

// Outputs runs the cells of a student's submission, in a program and a process that are not those of the
// tests, and returns what each prints and shows. Whatever a cell does, the marks are as before. code is a hash of what
// outputs depend on beside the submission (see Builder.Code): what a program has printed is kept in the user's cache.
//
// A program that draws is compiled at once, since a figure takes the interpreter as long as compiling takes.
func (g *Grader) Outputs(ctx context.Context, student string, nb *nbformat.Notebook, limits Limits, code string) (map[*nbformat.Cell][]nbformat.Output, error) {
	if g.compiler == nil {
		g.compiler = g.Assignment.Compiler()
	}
	g.compiler.Unbounded = false
	all := map[*nbformat.Cell][]nbformat.Output{}
	programs, words, err := g.compiler.Shows(ctx, nb)
	if refused, ok := errors.AsType[*assignment.Refused](err); ok {
		for _, c := range nb.Cells {
			all[c] = []nbformat.Output{refusal(refused.Why)}
		}
		return all, nil
	} else if err != nil {
		return nil, err
	}
	for c, why := range words {
		all[c] = []nbformat.Output{refusal(why)}
	}
	spent, size, failed := 0.0, 0, 0
	for len(programs) > 0 {
		p := programs[0]
		programs = programs[1:]
		if failed >= maxRefused { // each takes all of the time that the compiler has
			for _, c := range p.Cells {
				all[c] = []nbformat.Output{refusal("it is not run: too many others can't be compiled")}
			}
			continue
		}
		runs, seconds, err := g.show(ctx, p, student, limits, spent, code)
		if refused, ok := errors.AsType[*assignment.Refused](err); ok {
			failed++
			more, err := g.compiler.Split(ctx, p)
			if err != nil {
				return nil, err
			}
			if programs = append(more, programs...); more == nil {
				all[p.Cells[0]] = []nbformat.Output{refusal(refused.Why)}
			}
			continue
		} else if err != nil {
			return nil, err
		}
		spent += seconds
		for i, c := range p.Cells {
			for _, piece := range runs[i].Pieces {
				size += len(piece.Data) + pieceSize
			}
			if size > allShown {
				all[c] = []nbformat.Output{refusal("the outputs are left out: those of the notebook are too large")}
				continue
			}
			all[c] = outputsOf(runs[i])
		}
	}
	return all, nil
}

// Warm has Go compile the packages that the cells of the lecturer's notebook need. A student's may not take so long.
func (g *Grader) Warm(ctx context.Context, nb *nbformat.Notebook) error {
	dir, err := os.MkdirTemp("", "marginalia-guest-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c := g.Assignment.Compiler()
	defer c.Close()
	c.Unbounded = true
	programs, _, err := c.Shows(ctx, nb)
	for _, p := range programs {
		if _, err := c.Show(ctx, p, dir); err != nil {
			return err
		}
	}
	return err
}

// show runs the cells of a program, or returns what is known of it.
func (g *Grader) show(ctx context.Context, p *assignment.Show, student string, limits Limits, spent float64, code string) ([]*host.Run, float64, error) {
	if !g.Assignment.Individual() {
		student = "" // the same for all
	}
	h := sha256.New()
	fmt.Fprintln(h, code, p.Key, student, limits, g.Memory, g.data)
	cache, err := outputsCache()
	if err != nil {
		return nil, 0, err
	}
	file := filepath.Join(cache, hex.EncodeToString(h.Sum(nil))[:32]+".json")
	var runs []*host.Run
	if data, err := os.ReadFile(file); err == nil && json.Unmarshal(data, &runs) == nil && len(runs) == len(p.Cells) {
		now := time.Now()
		os.Chtimes(file, now, now)
		return runs, 0, nil
	}
	dir, err := os.MkdirTemp("", "marginalia-guest-")
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(dir)
	wasm, err := again(ctx, func() (string, error) {
		wasm, err := g.compiler.Show(ctx, p, dir)
		if err == nil {
			err = refuse(wasm, g.limits())
		}
		return wasm, err
	})
	if err != nil {
		return nil, 0, err
	}
	q := host.Request{Wasm: wasm, Student: student, Limits: g.limits(), Compiled: p.Draws, Spent: spent, Files: g.Files,
		Cells: &host.Cells{Text: cellText, Displays: cellDisplays, Shown: cellShown, Seconds: limits.Notebook.Seconds()}}
	for i := range p.Cells {
		q.Tests, q.Seconds = append(q.Tests, strconv.Itoa(i)), append(q.Seconds, limits.Cell.Seconds())
	}
	answers, err := g.Judge.Ask(ctx, q)
	if err != nil {
		return nil, 0, err
	}
	same, seconds := true, 0.0
	runs = nil
	for _, a := range answers {
		seconds += a.Seconds
		if a.Run == nil {
			a.Run = &host.Run{Ended: "it did not come to its end", Cut: true}
		}
		same = same && !a.Run.Cut
		runs = append(runs, a.Run)
	}
	if !same {
		return runs, seconds, nil
	}
	data, err := json.Marshal(runs)
	if err != nil {
		return nil, 0, err
	}
	return runs, seconds, atomicfile.Write(file, data)
}

// outputsCache is the folder, which it makes, of what programs have printed and shown.
func outputsCache() (string, error) {
	cache, err := os.UserCacheDir()
	cache = filepath.Join(cache, "marginalia", "outputs")
	if err == nil {
		err = os.MkdirAll(cache, 0o755)
	}
	return cache, err
}

// unused is how long outputs are kept that nobody asks for.
const unused = 30 * 24 * time.Hour

// prune removes outputs that nobody has asked for in long.
func prune(cache string, now time.Time) {
	entries, _ := os.ReadDir(cache)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > unused {
			os.RemoveAll(filepath.Join(cache, e.Name()))
		}
	}
}
