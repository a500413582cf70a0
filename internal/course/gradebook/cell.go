package gradebook

import (
	"fmt"
	"math"
	"time"
)

// An Assignment is the lecturer's side of one: what a submission consists of.
type Assignment struct {
	Name      string
	Course    string    // "default_course", as nbgrader has it, if empty; kept once it is there
	Due       time.Time // the zero time: none
	Notebooks []Notebook
}

// A Notebook is one of an assignment.
type Notebook struct {
	Name       string
	Kernelspec string // metadata.kernelspec, as JSON
	Cells      []Cell
}

// A Cell is one with nbgrader's metadata. One that is grade and solution is answered in
// words or by a figure, and marked by hand; so is a task.
type Cell struct {
	ID                            string // nbgrader's grade_id
	Type                          string // code or markdown
	Grade, Solution, Task, Locked bool
	Max                           float64 // points, of grade and task cells
	Source, Checksum              string
}

// kinds are the classes of nbgrader that a cell has a row of.
func (c Cell) kinds() (kinds []string) {
	if c.Grade {
		kinds = append(kinds, gradeCell)
	}
	if c.Solution {
		kinds = append(kinds, solutionCell)
	}
	if c.Task {
		kinds = append(kinds, taskCell)
	}
	return kinds
}

const (
	gradeCell    = "GradeCell"
	solutionCell = "SolutionCell"
	taskCell     = "TaskCell"
)

func (a Assignment) validate() error {
	if a.Name == "" || len(a.Notebooks) == 0 {
		return fmt.Errorf("gradebook: assignment %q with %d notebooks: want a name and a notebook", a.Name, len(a.Notebooks))
	}
	seen := map[[2]string]bool{}
	for _, nb := range a.Notebooks {
		if nb.Name == "" || seen[[2]string{nb.Name}] {
			return fmt.Errorf("gradebook: assignment %s has two notebooks %q, or one without a name", a.Name, nb.Name)
		}
		seen[[2]string{nb.Name}] = true
		for _, c := range nb.Cells {
			at := fmt.Sprintf("gradebook: assignment %s, notebook %s, cell %q", a.Name, nb.Name, c.ID)
			switch key := [2]string{nb.Name, c.ID}; {
			case c.ID == "" || seen[key]:
				return fmt.Errorf("%s: want a grade_id, unique in the notebook", at)
			case c.Type != "code" && c.Type != "markdown":
				return fmt.Errorf("%s: type %q, want code or markdown", at, c.Type)
			case !(c.Max >= 0) || math.IsInf(c.Max, 1):
				return fmt.Errorf("%s: %v points, want 0 or more", at, c.Max)
			default:
				seen[key] = true
			}
		}
	}
	return nil
}

// Max returns the maximum of points.
func (a Assignment) Max() (p Points) {
	for _, nb := range a.Notebooks {
		for _, c := range nb.Cells {
			if c.Grade || c.Task {
				p.add(c.Type, c.Task, c.Max)
			}
		}
	}
	return p
}
