package gradebook

import "time"

// A Student has an id, the name of the folder below submitted/, and what else is known.
type Student struct {
	ID, FirstName, LastName, Email string
	LMS                            string // by which marks go back to a system: Canvas's number, Moodle's ID number
	LMSNumber                      string // or else the number in the names of files, which no system reads marks by
	LMSSort                        LMSSort
}

// A Submission is one student's, with all marks.
type Submission struct {
	Student   Student
	Submitted time.Time     // the zero time: unknown
	Due       time.Time     // of the assignment, without extension; the zero time: none
	Extension time.Duration // of this student
	Notebooks []SubmittedNotebook
}

// A SubmittedNotebook is one notebook of a submission.
type SubmittedNotebook struct {
	Name    string
	Flagged bool    // in formgrader
	Penalty float64 // for handing in late, points
	Cells   []Mark  // in the order of the cells, those with points or comments
}

// A Mark is that of one cell, with the comments on it.
type Mark struct {
	Cell                     string  // nbgrader's grade_id
	Type                     string  // code or markdown, of cells with points
	Graded, Task             bool    // it has points; it is a task
	Max                      float64 // points
	Auto, Manual, Extra      *float64
	NeedsHand                bool
	AutoComment, HandComment string
}

// Score is the points that count: a mark given by hand wins, and extra credit is added.
func (m Mark) Score() float64 {
	score := m.Manual
	if score == nil {
		score = m.Auto
	}
	switch {
	case score == nil:
		return 0
	case m.Extra != nil:
		return *score + *m.Extra
	}
	return *score
}

// Comment is the one that counts: one given by hand wins.
func (m Mark) Comment() string {
	if m.HandComment != "" {
		return m.HandComment
	}
	return m.AutoComment
}

// Points are sums, as formgrader shows them: of all cells, and of code, Markdown answers and
// tasks.
type Points struct{ Total, Code, Written, Task float64 }

func (p *Points) add(cellType string, task bool, points float64) {
	p.Total += points
	switch {
	case task:
		p.Task += points
	case cellType == "code":
		p.Code += points
	default:
		p.Written += points
	}
}

// Score is the sum of the marks that count, before any penalty.
func (s Submission) Score() (p Points) {
	for _, nb := range s.Notebooks {
		for _, m := range nb.Cells {
			p.add(m.Type, m.Task, m.Score())
		}
	}
	return p
}

// Penalty is what the submission loses for being late.
func (s Submission) Penalty() (points float64) {
	for _, nb := range s.Notebooks {
		points += nb.Penalty
	}
	return points
}

// Final is the score less the penalty, 0 at least.
func (s Submission) Final() float64 { return max(0, s.Score().Total-s.Penalty()) }

// Late is how long after the due date and the extension the submission came: 0 if it was in
// time, or if one of the dates is unknown.
func (s Submission) Late() time.Duration {
	if s.Submitted.IsZero() || s.Due.IsZero() {
		return 0
	}
	return max(0, s.Submitted.Sub(s.Due.Add(s.Extension)))
}

// NeedsHand reports whether marks are still to be given or reviewed by hand.
func (s Submission) NeedsHand() bool {
	for _, nb := range s.Notebooks {
		for _, m := range nb.Cells {
			if m.NeedsHand {
				return true
			}
		}
	}
	return false
}

// Average is the mean of the scores, as formgrader shows it; 0 without submissions.
func Average(submissions []Submission) (p Points) {
	for _, s := range submissions {
		score := s.Score()
		p = Points{p.Total + score.Total, p.Code + score.Code, p.Written + score.Written, p.Task + score.Task}
	}
	n := float64(max(1, len(submissions)))
	return Points{p.Total / n, p.Code / n, p.Written / n, p.Task / n}
}
