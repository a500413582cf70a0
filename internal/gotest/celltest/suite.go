package celltest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"marginalia/internal/cell/cellrun"
	"marginalia/internal/gotest/layout"
	"marginalia/internal/notebook/excerpt"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/outputs"
	"marginalia/timing"
)

// DefaultTimeout is how long a cell may take.
const DefaultTimeout = 2 * time.Minute

// A Suite is a notebook and the programs of its cells.
type Suite struct {
	Timeout time.Duration // a cell; 0 is DefaultTimeout
	// PageTime is how long a cell may show nothing once it has asked for a value of a
	// page in a browser; 0 is ten seconds.
	PageTime time.Duration
	// Lacks is asked for what a cell needs (metadata.marginalia.needs): why it
	// is not there, or "". Nil means that all is there.
	Lacks func(need string) string
	// Env is what the environment of a cell has besides; nil adds nothing.
	Env func(id string) []string
	// Store keeps what cells show for the next time; nil keeps nothing.
	Store *Store

	file string // the notebook
	dir  string // in which the cells run
	away string // the notebook's own folder, if it is not there
	runs []*run
	byID map[string]*run
	fold sync.Once
	tmp  func() (string, error) // the temporary folder of all cells
	used bool                   // tmp has made it

	mayPass bool // cells that are tagged as failing
}

// run is one cell of the suite, with what came of it.
type run struct {
	cell layout.Cell
	pkg  *layout.Package
	nb   *nbformat.Cell

	once sync.Once
	rec  *recorder
	err  error
	took time.Duration
	outs []*shown // those of rec, displays of one id folded into one
}

func (r *run) outputs() []nbformat.Output {
	var outs []nbformat.Output
	for _, o := range r.outs {
		outs = append(outs, o.Output)
	}
	return excerpt.Outputs(outs)
}

// NewSuite pairs the code cells of a notebook with their programs. Every code
// cell must be among the cells of one package: what is missing was exported
// from another state of the notebook.
func NewSuite(file string, nb *nbformat.Notebook, packages []layout.Package) (*Suite, error) {
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	s := &Suite{file: file, dir: dir, byID: map[string]*run{}, mayPass: outputs.MayPass(nb)}
	// GoNB's cache is below TMPDIR, and the cells of a notebook hand values on by it. A run begins
	// with an empty one: what an earlier run has left there would hide a change in what is computed.
	s.tmp = sync.OnceValues(func() (string, error) {
		s.used = true
		return os.MkdirTemp("", "marginalia_cells_")
	})
	programs := map[string]*run{}
	for i := range packages {
		for _, c := range packages[i].Cells {
			programs[c.ID] = &run{cell: c, pkg: &packages[i], rec: &recorder{}}
		}
	}
	for _, c := range nb.Cells {
		if c.Type != "code" {
			continue
		}
		r := programs[c.ID]
		if r == nil {
			return nil, fmt.Errorf("%s: cell %s is not in the exported package: export the notebook again", file, c.ID)
		}
		r.nb = c
		s.runs = append(s.runs, r)
		s.byID[c.ID] = r
	}
	return s, nil
}

// in has the cells run in the notebook's own folder if it is there.
func (s *Suite) in(home string) error {
	home, err := filepath.Abs(home)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(home, filepath.Base(s.file))); err != nil {
		s.away = home
		return nil
	}
	s.dir = home
	return nil
}

// Close ends what the cells have left running, and removes what they have left in their temporary
// folder. No cell may run any more.
func (s *Suite) Close() error {
	for _, r := range s.runs {
		r.rec.endLeft()
	}
	if !s.used {
		return nil
	}
	tmp, err := s.tmp()
	return errors.Join(err, os.RemoveAll(tmp))
}

// IDs returns the ids of the code cells, in the order of the notebook.
func (s *Suite) IDs() []string {
	ids := make([]string, len(s.runs))
	for i, r := range s.runs {
		ids[i] = r.cell.ID
	}
	return ids
}

// A Result is what came of one cell.
type Result struct {
	ID          string
	Untestable  bool     // it runs nothing here: commands that only the kernel can run
	Skipped     string   // why it did not run, or ""
	Failures    []string // what is wrong, nothing if it passed
	Warnings    []string // what is no failure, and worth a look
	Outputs     []nbformat.Output
	Differences []outputs.Difference
	Took        time.Duration
}

// Run runs a cell, if it has not run yet, and compares its outputs with those stored.
func (s *Suite) Run(ctx context.Context, id string) Result {
	r := s.byID[id]
	res := Result{ID: id, Warnings: r.cell.Warnings}
	if len(r.cell.Problems) > 0 {
		res.Failures = r.cell.Problems
		return res
	}
	if res.Skipped, res.Untestable = s.skip(r); res.Skipped != "" {
		return res
	}
	if r.lacks() {
		res.Failures = r.cell.Missing
		return res
	}
	s.execute(ctx, r)
	if r.err != nil {
		res.Failures = []string{r.err.Error()}
		return res
	}
	s.foldDisplays(ctx, r)
	res.Outputs, res.Took = r.outputs(), r.took
	o, err := outputs.OptionsOf(r.nb)
	if err != nil {
		res.Failures = []string{err.Error()}
		return res
	}
	if o.Timings {
		res.Outputs = s.reworded(r, res.Outputs)
	}
	switch raised, should := hasError(res.Outputs), outputs.Raises(r.nb); {
	case should && !raised && !s.mayPass:
		res.Failures = append(res.Failures, outputs.DidNotRaise)
	case raised && !should && hasError(r.nb.Outputs):
		res.Failures = append(res.Failures, "it failed, as when it was stored; tag it raises-exception if it should: "+s.explain(r))
	case raised && !should:
		res.Failures = append(res.Failures, "it failed: "+s.explain(r))
	}
	if outputs.Stored(r.nb) {
		res.Differences = outputs.Compare(r.nb.Outputs, res.Outputs, o)
	}
	explained := hasError(res.Outputs) && !outputs.Raises(r.nb)
	for _, d := range res.Differences {
		if !explained || !d.Repeats() {
			res.Failures = append(res.Failures, d.String())
		}
	}
	res.Warnings = append(slices.Clip(res.Warnings), outputs.Varying(r.nb.Source, res.Differences)...)
	if len(res.Failures) > 0 {
		res.Warnings = slices.Concat(res.Warnings, r.cell.Missing, s.missed(r))
	}
	return res
}

// skip tells why a cell is not to be run, and whether that is because it can't be.
func (s *Suite) skip(r *run) (reason string, untestable bool) {
	for _, tag := range []string{"skip-execution", "nbval-skip"} {
		if r.nb.HasTag(tag) {
			return "tagged " + tag, false
		}
	}
	if r.cell.Skip != "" {
		return "not testable: " + r.cell.Skip, true
	}
	needs, _ := r.nb.Setting("needs")
	list, _ := needs.([]any)
	for _, need := range list {
		name, _ := need.(string)
		if name == "" || s.Lacks == nil {
			continue
		}
		if why := s.Lacks(name); why != "" {
			return "needs " + name + ": " + why, false
		}
	}
	return "", false
}

// canRun reports whether a cell is run at all.
func (s *Suite) canRun(r *run) bool {
	why, _ := s.skip(r)
	return why == "" && !r.lacks() && len(r.cell.Problems) == 0
}

// lacks reports whether a cell fails because modules are missing. One that has to fail is built
// all the same: that it can't be is its error, as on the kernel.
func (r *run) lacks() bool { return len(r.cell.Missing) > 0 && !outputs.Raises(r.nb) }

// execute runs the program of a cell once. If it may touch files or ports, the cells before it
// that may do so run first, in the notebook's order as on the kernel: they may be about the same
// file. All others touch nothing that another can see.
func (s *Suite) execute(ctx context.Context, r *run) {
	for _, earlier := range s.runs {
		if earlier == r || !r.cell.Outside {
			break
		}
		if earlier.cell.Outside && s.canRun(earlier) {
			s.once(ctx, earlier)
		}
	}
	s.once(ctx, r)
}

func (s *Suite) once(ctx context.Context, r *run) {
	r.once.Do(func() {
		start := time.Now()
		r.err = s.start(ctx, r)
		r.took = time.Since(start)
		r.outs = slices.Clone(r.rec.outs)
	})
}

func (s *Suite) start(ctx context.Context, r *run) error {
	timeout := cmp.Or(s.Timeout, DefaultTimeout)
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("it did not end within %v", timeout))
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r.rec.stop, r.rec.pageTime = stop, cmp.Or(s.PageTime, 10*time.Second)
	if w := r.cell.Writes; w != nil {
		if err := os.WriteFile(filepath.Join(s.abs(r.cell.Dir), w.Name), []byte(w.Text), 0o644); err != nil {
			if path, ok := errors.AsType[*fs.PathError](err); ok {
				err = path.Err
			}
			r.rec.add(failure(fmt.Sprintf("failed to open %q: open %[1]s: %v", w.Name, err)), "")
			return nil
		}
	}
	for _, p := range r.cell.Prints {
		text := p.Text
		if p.Dir != "" {
			text = fmt.Sprintf(text, s.abs(p.Dir))
		}
		r.rec.stream(p.Stream, text)
	}
	if r.cell.Fails != "" {
		r.rec.add(failure(r.cell.Fails), "")
		return nil
	}
	if r.cell.NoGo {
		return nil
	}
	if s.Store != nil && r.cell.Key != "" {
		return s.Store.run(ctx, s, r)
	}
	return s.program(ctx, r, nil)
}

// program builds the program of a cell and runs it, unless known, which may be nil, has taken what came of
// it from elsewhere.
func (s *Suite) program(ctx context.Context, r *run, known func(binary string) bool) error {
	shared, err := s.tmp()
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "marginalia_cell_")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	binary, words, err := r.pkg.Program(ctx, r.cell, tmp)
	if err != nil {
		return err
	}
	if words != "" {
		r.rec.add(failure(words), "")
		return nil
	}
	if known != nil && known(binary) {
		return nil
	}
	cmd := exec.CommandContext(ctx, binary, r.cell.Args...)
	if r.cell.Caches {
		if err := makeCache(shared, s.abs(r.cell.Dir)); err != nil {
			return err
		}
	}
	cmd.Args[0] = filepath.Join(tmp, "gonb_00000000") // a name such as the kernel gives: flag prints it
	cmd.Dir = s.abs(r.cell.Dir)
	cmd.Env = append(os.Environ(), timing.TimeEnv+"=0s", "GONB_DIR="+cmd.Dir, "GONB_TMP_DIR="+shared, "TMPDIR="+shared)
	if s.Env != nil {
		cmd.Env = append(cmd.Env, s.Env(r.cell.ID)...)
	}
	cmd.Env = append(cmd.Env, r.cell.Env...)
	cmd.Env = append(cmd.Env, "PWD="+cmd.Dir)
	if r.cell.Program == "" {
		cmd.Env = append(cmd.Env, cellrun.Env+"="+r.cell.ID)
	}
	return runProgram(ctx, cmd, r.cell.Outside, r.rec)
}

func (s *Suite) abs(dir string) string {
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(s.dir, dir)
}

// foldDisplays lets each display with an id replace the one that showed it
// first, in whichever cell that was: then all cells have to run before one can
// be compared. Cells without display ids, which is nearly all, need no other.
func (s *Suite) foldDisplays(ctx context.Context, r *run) {
	if !r.rec.named() {
		return
	}
	s.fold.Do(func() {
		first := map[string]*shown{}
		for _, r := range s.runs {
			if !s.canRun(r) {
				continue
			}
			s.execute(ctx, r)
			if !r.rec.named() {
				continue
			}
			r.outs = slices.DeleteFunc(r.outs, func(o *shown) bool {
				at, again := first[o.id]
				if again {
					at.Output = o.Output
				} else if o.id != "" {
					first[o.id] = o
				}
				return again
			})
		}
	})
}

func hasError(outs []nbformat.Output) bool {
	return slices.ContainsFunc(outs, func(o nbformat.Output) bool { return o.Type == "error" })
}
