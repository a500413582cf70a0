package course

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Course is an open course folder.
type Course struct {
	Dir string // absolute
	ID  string // as nbgrader's exchange knows it; may be ""

	// The notebooks whose cells nbgrader puts before and after those of each source,
	// relative to Dir; "" is none.
	Header, Footer string

	config config
}

// The steps of an assignment: the folders of a course.
type Step string

const (
	Source     Step = "source"
	Release    Step = "release"
	Attempts   Step = "attempts" // ours: nbgrader's tools do not look into it
	Submitted  Step = "submitted"
	Autograded Step = "autograded"
	Feedback   Step = "feedback"
)

// Open reads the settings of the course in a folder.
func Open(dir string) (*Course, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("course: %w", err)
	}
	c := &Course{Dir: dir, config: defaults()}
	ours, err := c.readTOML()
	if err != nil {
		return nil, err
	}
	theirs, err := c.readNbgrader()
	if err != nil {
		return nil, err
	}
	if !ours && !theirs {
		if info, err := os.Stat(filepath.Join(dir, string(Source))); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("course: %s is not a course folder: it has neither course.toml nor nbgrader_config.py nor source (marginalia course new DIR makes one)", dir)
		}
	}
	return c, nil
}

// Gradebook is the file of nbgrader's database.
func (c *Course) Gradebook() string { return filepath.Join(c.Dir, "gradebook.db") }

// Zone is the time zone of dates that name none.
func (c *Course) Zone() *time.Location { return c.config.Zone.Location }

// Path returns the folder of an assignment in a step, of one student where the step
// has students, and else of student "". Names that could lead anywhere else are an
// error; the folder need not be there.
func (c *Course) Path(step Step, student, name string) (string, error) {
	if err := CheckAssignment(name); err != nil {
		return "", err
	}
	switch step {
	case Source, Release:
		if student != "" {
			return "", fmt.Errorf("course: student %q in %s, which is the same for all", student, step)
		}
	default:
		if err := CheckStudent(student); err != nil {
			return "", err
		}
	}
	return filepath.Join(c.Dir, string(step), student, name), nil
}

// Assignments returns the names of the folders in source that hold a notebook, sorted.
func (c *Course) Assignments() ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(c.Dir, string(Source)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("course: %w", err)
	}
	var names []string
	for _, e := range entries {
		if CheckAssignment(e.Name()) != nil {
			continue
		}
		if found, _ := filepath.Glob(filepath.Join(c.Dir, string(Source), e.Name(), "*.ipynb")); len(found) > 0 {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Notebooks returns the source notebooks of an assignment, sorted, at least one. The
// error says which assignments there are.
func (c *Course) Notebooks(name string) ([]string, error) {
	dir, err := c.Path(Source, "", name)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("course: %w", err)
	}
	var files []string
	for _, e := range entries {
		if stem, ok := strings.CutSuffix(e.Name(), ".ipynb"); ok && !e.IsDir() {
			if err := checkName("notebook", stem); err != nil {
				return nil, err
			}
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	if len(files) == 0 {
		others, _ := c.Assignments()
		have := "there is no assignment yet"
		if len(others) > 0 {
			have = "there are " + strings.Join(others, ", ")
		}
		return nil, fmt.Errorf("course: assignment %s has no notebook in %s: %s", name, dir, have)
	}
	return files, nil
}

// Students returns those who have a folder in a step, sorted.
func (c *Course) Students(step Step) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(c.Dir, string(step)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("course: %w", err)
	}
	var ids []string
	for _, e := range entries {
		if info, err := os.Stat(filepath.Join(c.Dir, string(step), e.Name())); err == nil && info.IsDir() && CheckStudent(e.Name()) == nil {
			ids = append(ids, e.Name())
		}
	}
	slices.Sort(ids)
	return ids, nil
}
