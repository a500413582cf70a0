// Package execute executes notebooks on the kernel, as "go run . run" does: it starts a kernel in
// the notebook's folder, sends it the cells, stops what takes too long, explains what fails, and
// writes the outputs or compares them with the stored ones.
//
//	r, err := execute.Read("lecture.ipynb", execute.Options{Timeout: time.Minute}, os.Stderr)
//	…
//	ok, err := r.Run(ctx, spec)
package execute

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/notebook/excerpt"
	"marginalia/internal/notebook/gonb"
	"marginalia/internal/notebook/mistake"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/outputs"
	"marginalia/internal/notebook/program"
)

// startTimeout is the longest time for a kernel to start: it takes 0.03 s on
// an idle machine.
const startTimeout = time.Minute

// Options say how a notebook is executed.
type Options struct {
	Timeout     time.Duration // of a cell
	AllowErrors bool          // go on after a cell that fails
	Output      string        // the file to write, "" for the notebook's own
	Check       bool          // compare with the stored outputs, and write nothing
}

// A Run is the execution of one notebook.
type Run struct {
	Name   string // of the file, as the user wrote it
	target string
	data   []byte // of the file as it was read
	nb     *nbformat.Notebook
	code   []*codeCell
	o      Options
	log    io.Writer

	ids     map[int]string   // execution count to cell id
	session *program.Session // what the kernel remembers
	program *program.Program // of the cell that is executed
}

// A codeCell is a code cell and what came of it.
type codeCell struct {
	*nbformat.Cell
	compare outputs.Options
	result  *jupyter.Result  // nil if it was not executed
	failure *nbformat.Output // an error of our own: of a timeout, of a kernel that died; or nil
}

// Read reads a notebook and refuses what cannot be executed. The run will say on log what comes of
// each cell.
func Read(name string, o Options, log io.Writer) (*Run, error) {
	nb, err := nbformat.Read(name)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("run: %w", err)
	}
	if err := nb.WantGo(); err != nil {
		return nil, fmt.Errorf("run: %s is %w", name, err)
	}
	r := &Run{Name: name, target: name, data: data, nb: nb, o: o, log: log, ids: map[int]string{},
		session: program.NewSession(filepath.Dir(name))}
	if o.Output != "" {
		r.target = o.Output
	}
	for _, c := range nb.Cells {
		if c.Type != "code" {
			continue
		}
		options, err := outputs.OptionsOf(c)
		if err != nil {
			return nil, fmt.Errorf("run: %s: %w", name, err)
		}
		r.code = append(r.code, &codeCell{Cell: c, compare: options})
	}
	if info, err := os.Stat(r.target); err == nil && info.IsDir() && !o.Check {
		return nil, fmt.Errorf("run: %s is a folder: name the file to write, as -o %s", r.target, filepath.Join(r.target, filepath.Base(name)))
	}
	dir := filepath.Dir(r.target)
	if err := unix.Access(dir+"/.", unix.W_OK); err != nil && !o.Check { // rather now than after minutes of work
		return nil, fmt.Errorf("run: %s cannot be written: folder %s: %w (write elsewhere with -o FILE)", r.target, dir, err)
	}
	return r, nil
}

// Run executes the notebook and writes or checks it. It returns whether all
// was well, after having said what was not; an error means that it came to
// nothing.
func (r *Run) Run(ctx context.Context, spec jupyter.Spec) (bool, error) {
	spec.Dir, spec.Writes = filepath.Dir(r.Name), []string{r.target}
	start, cancel := context.WithTimeoutCause(ctx, startTimeout, fmt.Errorf("it did not answer for %v", startTimeout))
	defer cancel()
	fmt.Fprintf(r.log, "%s\n", r.Name)
	if words := mistake.OtherKernel(r.nb); words != "" {
		fmt.Fprintf(r.log, "note %s: %s\n", r.Name, words)
	}
	kernel, err := jupyter.Start(start, spec)
	if err != nil {
		return false, fmt.Errorf("run: %s: %w", r.Name, err)
	}
	defer kernel.Shutdown()

	ok, err := r.execute(ctx, kernel)
	if err != nil {
		fmt.Fprintf(r.log, "%s: interrupted, the file is as it was\n", r.Name)
		return false, err
	}
	if r.o.Check {
		return r.check() && ok, nil
	}
	return ok, r.write()
}

// next returns the code of the cells after the i-th.
func (r *Run) next(i int) (sources []string) {
	for _, c := range r.code[i+1:] {
		if !c.HasTag("skip-execution") && len(sources) < 3 {
			sources = append(sources, c.Source)
		}
	}
	return sources
}

// execute executes the cells one after the other. It reports whether all went
// well; the error is that of a context that was canceled.
func (r *Run) execute(ctx context.Context, kernel *jupyter.Kernel) (bool, error) {
	width := 0
	for _, c := range r.code {
		width = max(width, min(len(c.ID), 32))
	}
	ok := true
	for i, c := range r.code {
		if c.HasTag("skip-execution") {
			continue
		}
		if strings.TrimSpace(c.Source) == "" {
			c.result = &jupyter.Result{} // as Jupyter: a blank cell has no outputs and no count
			continue
		}
		fmt.Fprintf(r.log, "  %*d/%d %-*s ", len(fmt.Sprint(len(r.code))), i+1, len(r.code), width, c.ID)
		r.program = r.session.Step(c.ID, c.Source)
		if k := slices.IndexFunc(r.program.Problems, func(p gonb.Problem) bool { return p.Fatal }); k >= 0 {
			fatal := r.program.Problems[k]
			fmt.Fprintf(r.log, "  not executed\n%s#%s\n", r.Name, fatal)
			c.result, c.failure = &jupyter.Result{Failed: true}, errorOutput("NotExecuted", fatal.What)
			if !outputs.Raises(c.Cell) && !r.o.AllowErrors {
				return false, nil
			}
			continue
		}
		begin := time.Now()
		limited, cancel := context.WithTimeoutCause(ctx, r.o.Timeout, fmt.Errorf("the cell took longer than %v (--timeout)", r.o.Timeout))
		result, err := kernel.Execute(limited, c.Source, r.next(i)...)
		cancel()
		fmt.Fprintf(r.log, "%6.2f s", time.Since(begin).Seconds())
		r.executed(c, result)
		if errors.Is(ctx.Err(), context.Canceled) {
			fmt.Fprintln(r.log)
			return false, context.Cause(ctx)
		}
		goOn := true
		switch {
		case err != nil:
			ok = false
			goOn = r.stopped(c, err) && r.o.AllowErrors && ctx.Err() == nil
		case result.Failed:
			if outputs.Raises(c.Cell) {
				fmt.Fprintln(r.log, "  failed, as it should")
				break
			}
			fmt.Fprintln(r.log, "  failed")
			r.explain(c)
			goOn = r.o.AllowErrors
		default:
			fmt.Fprintln(r.log)
		}
		for _, problem := range r.program.Problems {
			fmt.Fprintf(r.log, "%s#%s:%d: note: %s\n", r.Name, c.ID, problem.Line+1, problem.What)
		}
		if verb := wrongVerb.FindStringSubmatch(result.Text("stdout")); verb != nil {
			fmt.Fprintf(r.log, "%s#%s: note: it prints %s: the verb %%%s does not fit a value of type %s; %%v fits any\n", r.Name, c.ID, verb[0], verb[1], verb[2])
		}
		if !goOn {
			return false, nil
		}
	}
	return ok, nil
}

// wrongVerb matches what package fmt prints for a value that does not fit its verb (go doc fmt,
// "Format errors").
var wrongVerb = regexp.MustCompile(`%!(\w)\(([\w.*\[\]]+)=[^)\n]*\)`)

// executed notes what came of a cell, and has the session remember what the
// kernel does: the declarations of cells that compile.
func (r *Run) executed(c *codeCell, result *jupyter.Result) {
	c.result = result
	if result.ExecutionCount > 0 {
		r.ids[result.ExecutionCount] = c.ID
	}
	if !mistake.Compiling(result.EValue) {
		r.session.Remember(r.program)
	}
}

// stopped notes that a cell was stopped by the clock, or with the kernel, and
// reports whether the kernel still lives.
func (r *Run) stopped(c *codeCell, err error) bool {
	var stop *jupyter.StoppedError
	var dead *jupyter.DeadError
	switch {
	case errors.As(err, &stop):
		fmt.Fprintf(r.log, "  stopped\n%s#%s: %v\n", r.Name, c.ID, stop.Cause)
		if stop.Killed {
			fmt.Fprintf(r.log, "\tit did not react to an interrupt, so the kernel was killed\n")
		}
		name := "Timeout"
		switch {
		case errors.Is(err, jupyter.ErrMaxOutput):
			name = "TooMuchOutput"
			c.result.Outputs = beginning(c.result.Outputs, keptOfTooMuch)
		case errors.Is(err, jupyter.ErrNoPage):
			name = "NoPage"
		}
		c.failure = errorOutput(name, stop.Cause.Error())
		return !stop.Killed
	case errors.As(err, &dead):
		fmt.Fprintf(r.log, "  died\n%s#%s: the kernel died: %s\n", r.Name, c.ID, dead.State)
		if dead.Log != "" {
			fmt.Fprintf(r.log, "\tits last words:\n%s", indented(outputs.Visible(dead.Log)))
		}
		c.failure = errorOutput("DeadKernel", "the kernel died: "+dead.State)
	default:
		fmt.Fprintf(r.log, "  failed\n%s#%s: %v\n", r.Name, c.ID, err)
		c.failure = errorOutput("Client", err.Error())
	}
	return false
}

// keptOfTooMuch is how many bytes are kept of what a cell shows that never stops.
const keptOfTooMuch = 64 << 10

// beginning returns the first outputs, to about so many bytes of streams, and
// no display after those.
func beginning(outputs []nbformat.Output, bytes int) []nbformat.Output {
	for i, o := range outputs {
		if len(o.Text) > bytes {
			end := strings.LastIndexByte(o.Text[:bytes], '\n') + 1
			if end == 0 { // one long line
				end = len(strings.ToValidUTF8(o.Text[:bytes], ""))
			}
			o.Text = o.Text[:end]
			return append(outputs[:i:i], o)
		}
		bytes -= len(o.Text)
	}
	return outputs
}

func errorOutput(name, value string) *nbformat.Output {
	return &nbformat.Output{Type: "error", EName: name, EValue: value, Traceback: []string{value}}
}

// outputs returns what the cell has shown, as JupyterLab would store it.
func (c *codeCell) outputs() []nbformat.Output {
	outputs := excerpt.Outputs(c.result.Outputs)
	if c.failure == nil {
		return outputs
	}
	// The kernel may have reported the interrupt as an error; ours says why.
	if last := len(outputs) - 1; last >= 0 && outputs[last].Type == "error" {
		outputs = outputs[:last]
	}
	return append(slices.Clip(outputs), *c.failure)
}

// check compares the outputs with those stored, and says where they differ. It
// passes what `marginalia test` passes.
func (r *Run) check() bool {
	same := true
	for _, c := range r.code {
		if c.result == nil || c.HasTag("nbval-skip") {
			continue
		}
		if outputs.Raises(c.Cell) && !c.result.Failed && c.failure == nil && !outputs.MayPass(r.nb) {
			fmt.Fprintf(r.log, "%s#%s: %s\n", r.Name, c.ID, outputs.DidNotRaise)
			same = false
		}
		if !outputs.Stored(c.Cell) {
			if len(c.outputs()) > 0 {
				fmt.Fprintf(r.log, "%s#%s: note: it was never executed, so there is nothing to compare with\n", r.Name, c.ID)
			}
			continue
		}
		diffs := outputs.Compare(c.Outputs, c.outputs(), c.compare)
		for _, d := range diffs {
			fmt.Fprintf(r.log, "%s#%s: %s\n", r.Name, c.ID, d)
			same = false
		}
		for _, note := range outputs.Varying(c.Source, diffs) {
			fmt.Fprintf(r.log, "%s#%s: note: %s\n", r.Name, c.ID, note)
		}
	}
	return same
}

// write puts the outputs into the notebook, save those that came out as they
// are stored, and writes it.
func (r *Run) write() error {
	for _, c := range r.code {
		if c.result == nil {
			continue
		}
		c.ExecutionCount = nil
		if n := c.result.ExecutionCount; n > 0 {
			c.ExecutionCount = &n
		}
		shown, exact := c.outputs(), c.compare
		exact.Ignore = false
		if len(outputs.Compare(c.Outputs, shown, exact)) > 0 || !sameMetadata(c.Outputs, shown) {
			c.Outputs = shown
		}
	}
	r.nb.Metadata["language_info"] = jupyter.LanguageInfo() // as JupyterLab stores it
	if data, err := os.ReadFile(r.Name); err == nil && !bytes.Equal(data, r.data) && r.target == r.Name {
		return fmt.Errorf("run: %s was changed while it was executed, so it was not written: run it again", r.Name)
	}
	return r.nb.WriteFile(r.target)
}

// sameMetadata reports whether the displays, in their order, have the same
// metadata: the size and the name of a figure.
func sameMetadata(stored, got []nbformat.Output) bool {
	of := func(outputs []nbformat.Output) (list []map[string]any) {
		for _, o := range outputs {
			if o.Type != "stream" && o.Type != "error" {
				list = append(list, o.Metadata)
			}
		}
		return list
	}
	return reflect.DeepEqual(of(stored), of(got))
}
