package grade

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/course"
	"marginalia/internal/course/collect"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/course/moment"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/sandbox/verdict"
)

// VerdictFile is the file of autograded/STUDENT/NAME that holds a Record, TimesFile the one
// that holds what its tests took, in seconds by notebook and tests cell.
const (
	VerdictFile = "verdict.json"
	TimesFile   = "times.json"
)

// A Record is what the grader found in a submission. VerdictFile is the same, to the byte,
// whenever and wherever the submission is graded.
type Record struct {
	Key       string // a hash of all that the marks depend on
	Submitted time.Time
	Notebooks []*verdict.Notebook
	Scores    gradebook.Scores
	Faults    []Fault
}

// A Fault says why a notebook gets no points.
type Fault struct{ Notebook, Reason string }

func (f Fault) String() string { return f.Notebook + ".ipynb: " + f.Reason }

// ReadRecord reads the record of a submission. The error is fs.ErrNotExist if it was not graded.
func ReadRecord(dir string) (*Record, error) {
	data, err := os.ReadFile(filepath.Join(dir, VerdictFile))
	if err != nil {
		return nil, err
	}
	r := &Record{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("grade: %s: %w", filepath.Join(dir, VerdictFile), err)
	}
	times := map[string]map[string]float64{}
	data, err = os.ReadFile(filepath.Join(dir, TimesFile))
	if err == nil {
		err = json.Unmarshal(data, &times)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("grade: %s: %w", filepath.Join(dir, TimesFile), err)
	}
	for _, nb := range r.Notebooks {
		for i := range nb.Tests {
			nb.Tests[i].Seconds = times[nb.Notebook][nb.Tests[i].ID]
		}
	}
	return r, nil
}

// Write writes the record of a submission. Killed on the way, it is not graded yet, or as
// before.
func (r *Record) Write(dir string) error {
	times := map[string]map[string]float64{}
	for _, nb := range r.Notebooks {
		times[nb.Notebook] = map[string]float64{}
		for _, t := range nb.Tests {
			times[nb.Notebook][t.ID] = t.Seconds
		}
	}
	for _, file := range []struct {
		name string
		what any
	}{{TimesFile, times}, {VerdictFile, r}} {
		data, err := json.MarshalIndent(file.what, "", " ")
		if err == nil {
			err = atomicfile.Write(filepath.Join(dir, file.name), data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// record returns what is known of a submission, from its record or by judging it.
func (r *runner) record(ctx context.Context, graders []*Grader, id string, g *Graded) (*Record, error) {
	from, err := r.Course.Path(course.Submitted, id, r.Release.Name)
	if err != nil {
		return nil, err
	}
	to, err := r.Course.Path(course.Autograded, id, r.Release.Name)
	if err != nil {
		return nil, err
	}
	collected, err := collect.ReadRecord(from)
	if errors.Is(err, fs.ErrNotExist) {
		collected = &collect.Record{}
	} else if err != nil {
		return nil, err
	}
	submitted, err := timestamp(from, r.Course.Zone())
	if err != nil {
		return nil, err
	}
	if submitted.IsZero() {
		submitted = collected.Timestamp.UTC()
	}
	h := sha256.New()
	fmt.Fprintln(h, id, r.version, r.code, r.settings.TimeFactor, r.settings.Memory, r.settings.Imports, submitted, r.limits())
	files, reasons := map[string][]byte{}, map[string]string{}
	for _, n := range r.Release.Notebooks {
		if f := collected.Fault(n.Name); f != nil {
			reasons[n.Name] = verdict.Plain(f.Reason, maxOutput)
		} else if data, err := readNotebook(from, n.Name); err != nil {
			reasons[n.Name] = verdict.Plain(err.Error(), maxOutput)
		} else {
			files[n.Name] = data
		}
		fmt.Fprintf(h, "%q %x %q\n", n.Name, sha256.Sum256(files[n.Name]), reasons[n.Name])
	}
	rec := &Record{Key: hex.EncodeToString(h.Sum(nil)), Submitted: submitted}
	before, err := ReadRecord(to)
	if err == nil && before.Key == rec.Key {
		g.Unchanged, g.Faults = true, before.Faults
		return before, nil
	}
	g.before = before
	rec.Scores = gradebook.Scores{Assignment: r.Release.Name, Student: id, Submitted: submitted}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return nil, err
	}
	for i, n := range r.Release.Notebooks {
		var nb *nbformat.Notebook
		var notes []verdict.Note
		if reasons[n.Name] == "" {
			if nb, notes, err = Returned(graders[i].Assignment, n.Release, files[n.Name]); err != nil {
				reasons[n.Name] = verdict.Plain(err.Error(), maxOutput)
			}
		}
		v := &verdict.Notebook{}
		if nb != nil {
			if v, err = graders[i].Grade(ctx, id, nb); err != nil {
				return nil, err
			}
			v.Notes = append(notes, v.Notes...)
		} else {
			for _, t := range graders[i].Assignment.Tests {
				v.Tests = append(v.Tests, graders[i].test(t, nil))
			}
			rec.Faults = append(rec.Faults, Fault{n.Name, reasons[n.Name]})
			v.Notes = []verdict.Note{{Text: reasons[n.Name]}}
			if nb, err = empty(n.Release); err != nil {
				return nil, err
			}
		}
		v.Assignment, v.Notebook, v.Student, v.Version = r.Release.Name, n.Name, id, r.version
		rec.Notebooks = append(rec.Notebooks, v)
		rec.Scores.Notebooks = append(rec.Scores.Notebooks, scores(n.Name, n.Release, nb, v, reasons[n.Name]))
		var shown map[*nbformat.Cell][]nbformat.Output
		if limits := r.limits(); limits.Notebook > 0 && reasons[n.Name] == "" {
			if err = r.warm(ctx, i); err == nil {
				shown, err = graders[i].Outputs(ctx, id, nb, limits, r.code)
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				g.NotRun, rec.Key = err, ""
			}
		}
		if err := graded(n.Release, nb, v, shown).WriteFile(filepath.Join(to, n.Name+".ipynb")); err != nil {
			return nil, err
		}
	}
	g.Faults = rec.Faults
	return rec, rec.Write(to)
}

// warm makes notebook i's programs ready for outputs, at its first call.
func (r *runner) warm(ctx context.Context, i int) error {
	r.warming.Lock()
	defer r.warming.Unlock()
	if r.warmed[i] {
		return nil
	}
	err := r.graders[i].Warm(ctx, r.Release.Notebooks[i].Source)
	r.warmed[i] = err == nil
	return err
}

// limits are those of the cells that are run for their outputs.
func (r *runner) limits() Limits {
	if r.NoOutputs || !r.settings.Outputs {
		return Limits{}
	}
	return Limits{r.settings.Cell, r.settings.Notebook}
}

// empty is the notebook of one who has handed in none that can be read: formgrader shows
// one for each submission.
func empty(release *nbformat.Notebook) (*nbformat.Notebook, error) {
	data, err := release.Encode()
	if err != nil {
		return nil, err
	}
	return nbformat.Decode(data)
}

// timestamp is the time in nbgrader's timestamp.txt, zero if there is none. One that can't be
// read is an error: a submission is not in time because nobody knows when it came.
func timestamp(dir string, zone *time.Location) (when time.Time, err error) {
	file := filepath.Join(dir, "timestamp.txt")
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return when, nil
	}
	if err == nil {
		when, err = moment.Parse(string(text), time.UTC, zone)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return when, err
}
