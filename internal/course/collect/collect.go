// Package collect brings what students handed in into a course folder.
//
// It takes folders, zips as Moodle, Canvas, Blackboard and Gradescope export them,
// nbgrader's exchange (its folder inbound) and single notebooks, and makes
//
//	attempts/STUDENT/NAME/ATTEMPT/  every attempt: files/ as they were handed in,
//	                                collected.json says where they came from
//	submitted/STUDENT/NAME/         the attempt that counts: the assignment's notebooks
//	                                under their names, data files, timestamp.txt in
//	                                nbgrader's form, and that attempt's collected.json
//
// nbgrader's tools work on submitted/ and do not look into attempts/. A file that is
// not a notebook of the assignment stays in its attempt; collected.json says why
// (Record, Fault), and grading gives 0 points for it with that reason.
//
// Which attempt counts: the last one, as nbgrader's collect and zip_collect have it;
// with BeforeDue the last one before the due date, or the last if there is none, as
// nbgrader's collect --before-duedate. Where a source gives no times (Moodle, Canvas)
// the time of collecting stands for them in this order, and nowhere else. A newer
// attempt replaces an older one without being asked (nbgrader's --update), since both
// are kept. Collecting the same files again changes nothing. A submission that was
// put there or changed by hand is kept as an attempt before it is replaced.
//
// Whose file it is: a number of a learning management system counts among those of its
// sort, and only where the name beside it agrees with the roster's. What a team handed in
// is an attempt of each member. Where number and name contradict each other, or two
// students may be meant, the file is refused.
//
// Everything is written beside its place and moved there in one step, with a lock
// against other calls: killed at any moment, nothing is lost, doubled or
// half-written, and the next call completes it.
//
// Whatever is handed in, time and memory are bounded (see the constants). Nothing is
// written outside of the course folder (os.Root), no name of a student's is a path,
// and links are not followed.
package collect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"marginalia/internal/base/lockfile"
	"marginalia/internal/course"
	"marginalia/internal/notebook/nbformat"
)

// Options say what to collect.
type Options struct {
	Course     *course.Course
	Assignment string   // NAME
	Inputs     []string // folders, zips and files
	Student    string   // whose they are, if they are one student's; else ""
	Roster     *Roster  // nil: a system's number or login is the student's id
	Known      *Roster  // students of the course whom Roster has not; may be nil
	BeforeDue  bool     // the last attempt before the due date counts, with extension and grace

	Now func() time.Time // nil is time.Now

	// Waiting is called if another call has the lock, Report for each student when
	// the submission is in its place. Both may be nil.
	Waiting func(holder string)
	Report  func(Taken)
}

// Taken is what became of one student's files.
type Taken struct {
	Student  string
	State    State
	New      int     // attempts that were not there before
	Attempts int     // attempts that are there now
	Record   *Record // of the submission
}

// State is what a call did to a submission.
type State string

const (
	Unchanged State = "unchanged" // this attempt was the submission before
	First     State = "new"       // there was no submission
	Replaced  State = "replaced"  // an older one was there, or one that now counts less
)

// A Refusal is a file of an input that is no student's, or that was not read.
type Refusal struct {
	Input, Path, Reason string
}

func (r Refusal) String() string {
	if r.Path == "" {
		return fmt.Sprintf("%s: %s", Printable(r.Input), r.Reason)
	}
	return fmt.Sprintf("%s: %s: %s", Printable(r.Input), Printable(r.Path), r.Reason)
}

// An Intake is what a call did.
type Intake struct {
	Taken    []Taken
	Refused  []Refusal
	Unlisted []string // students whom Roster has not
	Strange  []string // names of folders that were taken for ids and look like none
	ByName   []string // students whom the roster has with another participant number of Moodle's, which may be another assignment's
}

// maxRefusals bounds the list of refusals of one input.
const maxRefusals = 100

type collector struct {
	Options
	root     *os.Root
	expected map[string]map[string]bool            // the assignment's notebooks, and the ids of their cells
	others   map[string]map[string]map[string]bool // the same of the course's other assignments
	ids      map[string]string                     // folded id to the id of a student that is there
	handedIn map[string]bool                       // students of this call's inputs
	mine     map[string]Key                        // id to what this call found no other student for
	teams    map[[3]string][]string                // see teamBefore
	strange  []string                              // see Intake
	byName   []string                              // the same
	unlisted []string                              // the same
	added    map[string]int                        // attempts of this call
	refused  []Refusal
	inInput  int // refusals of the current input
}

const (
	attemptsDir  = string(course.Attempts)
	submittedDir = string(course.Submitted)
)

// Collect takes the inputs. The Intake says what was done, also if there is an error: the
// inputs before it, each as a whole.
func Collect(ctx context.Context, o Options) (Intake, error) {
	c := &collector{Options: o, ids: map[string]string{}, mine: map[string]Key{}, added: map[string]int{}, handedIn: map[string]bool{}}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Report == nil {
		c.Report = func(Taken) {}
	}
	if err := course.CheckAssignment(c.Assignment); err != nil {
		return Intake{}, err
	}
	if c.Student != "" {
		if err := course.CheckStudent(c.Student); err != nil {
			return Intake{}, err
		}
	}
	root, err := os.OpenRoot(c.Course.Dir)
	if err != nil {
		return Intake{}, fmt.Errorf("collect: the course: %w", err)
	}
	defer root.Close()
	c.root = root
	if err := root.MkdirAll(attemptsDir, 0o777); err != nil {
		return Intake{}, fmt.Errorf("collect: %w", err)
	}
	lock, err := lockfile.Take(ctx, filepath.Join(c.Course.Dir, attemptsDir, ".lock"), lockfile.Exclusive, c.Waiting)
	if err != nil {
		return Intake{}, fmt.Errorf("collect: %w", err)
	}
	defer lock.Close()
	if err := c.prepare(); err != nil {
		return Intake{}, err
	}
	err = c.run(ctx)
	taken, err2 := c.submit(ctx)
	return Intake{taken, c.refused, c.unlisted, c.strange, c.byName}, errors.Join(err, err2)
}

// prepare removes what a killed call left, and reads the course: the notebooks of its
// assignments and the students that are there.
func (c *collector) prepare() error {
	for _, dir := range []string{attemptsDir, submittedDir} {
		entries, err := fs.ReadDir(c.root.FS(), dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("collect: %w", err)
		}
		for _, e := range entries {
			switch {
			case dir == attemptsDir && strings.HasPrefix(e.Name(), unfinished):
				if err := c.root.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
					return fmt.Errorf("collect: %w", err)
				}
			case e.IsDir():
				c.ids[fold(e.Name())] = e.Name()
			}
		}
	}
	c.others = map[string]map[string]map[string]bool{}
	for _, step := range []string{string(course.Release), string(course.Source)} {
		assignments, _ := fs.ReadDir(c.root.FS(), step)
		for _, a := range assignments {
			if c.others[a.Name()] != nil {
				continue // as students have it
			}
			notebooks, _ := filepath.Glob(filepath.Join(globEscape(filepath.Join(c.Course.Dir, step, a.Name())), "*.ipynb"))
			for _, name := range notebooks {
				if c.others[a.Name()] == nil {
					c.others[a.Name()] = map[string]map[string]bool{}
				}
				var ids map[string]bool
				if nb, err := nbformat.Read(name); err == nil {
					ids = gradeIDs(nb)
				}
				c.others[a.Name()][strings.TrimSuffix(filepath.Base(name), ".ipynb")] = ids
			}
		}
	}
	c.expected = c.others[c.Assignment]
	if c.expected == nil && len(c.others) > 0 { // a slip would put all that was handed in where nobody grades it
		return fmt.Errorf("collect: assignment %s has no notebook in source or release: there are %s", c.Assignment, strings.Join(slices.Sorted(maps.Keys(c.others)), ", "))
	}
	delete(c.others, c.Assignment)
	return nil
}

func globEscape(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// run makes attempts of all inputs.
func (c *collector) run(ctx context.Context) error {
	for _, input := range c.Inputs {
		c.inInput = 0
		list, done, err := c.open(input)
		if err != nil {
			return err
		}
		for _, h := range c.settle(list) {
			for _, student := range h.students {
				if err := ctx.Err(); err != nil {
					done()
					return context.Cause(ctx)
				}
				err := c.take(ctx, h, student)
				if errors.Is(err, errTime) {
					c.refuse(input, file{path: []string{h.key}}, err.Error())
					continue
				}
				if err != nil {
					done()
					return fmt.Errorf("collect: %s: %w", input, err)
				}
			}
		}
		done()
	}
	return nil
}

// refuse notes a file that is no student's.
func (c *collector) refuse(input string, f file, reason string) {
	switch c.inInput++; {
	case c.inInput < maxRefusals:
		c.refused = append(c.refused, Refusal{input, strings.Join(f.path, "/"), reason})
	case c.inInput == maxRefusals:
		c.refused = append(c.refused, Refusal{input, "", fmt.Sprintf("and more: only the first %d are listed", maxRefusals)})
	}
}

// has reports whether the course has a student's folder for the assignment.
func (c *collector) has(dir, student string) bool {
	info, err := c.root.Lstat(filepath.Join(dir, student, c.Assignment))
	return err == nil && info.IsDir()
}

// students returns the ids that have attempts or a submission of the assignment.
func (c *collector) students() (all []string) {
	for _, id := range c.ids {
		if c.has(attemptsDir, id) {
			all = append(all, id)
		}
	}
	slices.Sort(all)
	return all
}
