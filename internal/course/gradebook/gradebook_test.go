package gradebook

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
)

// A first grading gives the tests their marks, and leaves the rest to be marked by hand.
func TestSave(t *testing.T) {
	b := created(t)
	if changes := save(t, b, scores("ada", 2.5, 3)); len(changes) != 0 {
		t.Errorf("changes %v of a submission that is graded for the first time", changes)
	}
	wantMarks(t, b, map[string]string{
		"perceptron/rule":      `[null,null,null,false,"The rule adds y·x.",""]`,
		"perceptron/rule-test": `[2.5,null,null,false,"",""]`,
		"perceptron/bound":     `[null,null,null,true,"",""]`,
		"perceptron/figure":    `[null,null,null,true,"",""]`,
		"pocket/rule-test":     `[3,null,null,false,"",""]`,
		"pocket/essay":         `[null,null,null,true,"",""]`,
	})
	all, _ := b.Submissions(t.Context(), "ps1")
	if got, want := all[0].Score(), (Points{5.5, 5.5, 0, 0}); got != want || !all[0].NeedsHand() {
		t.Errorf("score %v, needs hand %v; want %v, true", got, all[0].NeedsHand(), want)
	}
	// The points of ps1, counted by hand.
	if got, want := ps1().Max(), (Points{16, 9, 3, 4}); got != want {
		t.Errorf("points of the assignment %v, want %v", got, want)
	}
	assignments, err := b.Assignments(t.Context())
	if err != nil || len(assignments) != 1 || assignments[0].Max() != ps1().Max() || !assignments[0].Due.Equal(ps1().Due) {
		t.Errorf("the book has %+v, %v; want ps1 with its points and date", assignments, err)
	}
}

// Marks, extra credit, comments and flags given in formgrader survive grading again. A mark
// is to be reviewed when the grader's changed, or other files were handed in: nbgrader asks
// for it each time, also when nothing is new.
func TestByHandStays(t *testing.T) {
	b := created(t)
	first := scores("ada", 2, 0)
	first.Submitted = time.Date(2026, 10, 30, 8, 0, 0, 123456789, time.UTC)
	save(t, b, first)
	const cell = "(SELECT b.id FROM base_cell b JOIN notebook n ON n.id = b.notebook_id WHERE n.name = 'perceptron' AND b.name = ? AND b.type = ?)"
	formgrader(t, b, "UPDATE grade SET manual_score = 3, extra_credit = 0.5, needs_manual_grade = 0 WHERE cell_id = "+cell, "rule-test", gradeCell)
	formgrader(t, b, "UPDATE grade SET manual_score = 1, needs_manual_grade = 0 WHERE cell_id = "+cell, "bound", gradeCell)
	formgrader(t, b, "UPDATE comment SET manual_comment = 'nearly' WHERE cell_id = "+cell, "bound", solutionCell)
	formgrader(t, b, "UPDATE submitted_notebook SET flagged = 1 WHERE notebook_id = (SELECT id FROM notebook WHERE name = 'pocket')")

	save(t, b, first)
	wantMarks(t, b, map[string]string{
		"perceptron/rule-test": `[2,3,0.5,false,"",""]`,
		"perceptron/bound":     `[null,1,null,false,"","nearly"]`,
	})

	// The tests were mended: the same files get 4.
	mended := scores("ada", 4, 0)
	mended.Submitted = first.Submitted
	changes := save(t, b, mended)
	if text, _ := json.Marshal(changes); string(text) != `[{"Student":"ada","Notebook":"perceptron","Cell":"rule-test","Before":2,"After":4,"Manual":3,"Another":false}]` {
		t.Errorf("changes %s", text)
	}
	wantMarks(t, b, map[string]string{
		"perceptron/rule-test": `[4,3,0.5,true,"",""]`,
		"perceptron/bound":     `[null,1,null,false,"","nearly"]`,
	})

	// Other files, whose answer without words is marked 0 by the grader.
	again := scores("ada", 4, 0)
	again.Submitted = first.Submitted.Add(time.Hour)
	again.Notebooks[0].Cells = append(again.Notebooks[0].Cells, Score{Cell: "figure", Auto: new(float64), Comment: "No response."})
	save(t, b, again)
	wantMarks(t, b, map[string]string{
		"perceptron/bound":  `[null,1,null,true,"","nearly"]`,
		"perceptron/figure": `[0,null,null,false,"No response.",""]`,
	})
	all, _ := b.Submissions(t.Context(), "ps1")
	if s := all[0]; !s.Notebooks[1].Flagged && !s.Notebooks[0].Flagged {
		t.Error("the flag is gone")
	} else if got := s.Score().Total; got != 4.5 { // 3 + 0.5 by hand, 1 by hand
		t.Errorf("score %v, want 4.5", got)
	}
}

// Twice is the same as once, down to the ids.
func TestSaveTwice(t *testing.T) {
	b := created(t)
	save(t, b, scores("ada", 2, 1))
	once := dump(t, b)
	if changes := save(t, b, scores("ada", 2, 1)); len(changes) > 0 {
		t.Errorf("changes %v", changes)
	}
	if twice := dump(t, b); twice != once {
		t.Errorf("after the second time:\n%s\nafter the first:\n%s", twice, once)
	}
	if !strings.Contains(once, "comment {") || !strings.Contains(once, "The rule adds") {
		t.Errorf("no comments in\n%s", once)
	}
}

// A notebook that was not handed in has 0 points, and nothing to be marked by hand.
func TestMissingNotebook(t *testing.T) {
	b := created(t)
	s := scores("ada", 4, 0)
	s.Notebooks = s.Notebooks[:1]
	save(t, b, s)
	wantMarks(t, b, map[string]string{
		"pocket/rule-test": `[0,null,null,false,"",""]`,
		"pocket/essay":     `[0,null,null,false,"",""]`,
	})
}

// Scores that do not fit the assignment change nothing, and the word names the cell.
func TestRefusedScores(t *testing.T) {
	b := created(t)
	save(t, b, scores("ada", 1, 1))
	before := dump(t, b)
	for want, spoil := range map[string]func(*Scores){
		`no assignment "ps2"`:         func(s *Scores) { s.Assignment = "ps2" },
		`without a student`:           func(s *Scores) { s.Student = "" },
		`notebook "kernels"`:          func(s *Scores) { s.Notebooks[1].Notebook = "kernels" },
		`notebook "perceptron"`:       func(s *Scores) { s.Notebooks[1] = s.Notebooks[0] },
		`cell "rule-tests"`:           func(s *Scores) { s.Notebooks[0].Cells[0].Cell = "rule-tests" },
		`no mark of the tests cell r`: func(s *Scores) { s.Notebooks[1].Cells = nil },
		`two results`:                 func(s *Scores) { s.Notebooks[0].Cells[1].Cell = "rule-test" },
		`a mark of NaN`:               func(s *Scores) { *s.Notebooks[1].Cells[0].Auto -= 0; *s.Notebooks[1].Cells[0].Auto = nan() },
		`a mark of -1`:                func(s *Scores) { *s.Notebooks[0].Cells[0].Auto = -1 },
		`only answers and tasks`:      func(s *Scores) { s.Notebooks[0].Cells[0].Comment = "no" },
		`of a cell with points`:       func(s *Scores) { s.Notebooks[0].Cells[1].Auto = new(float64) },
	} {
		s := scores("bob", 2, 2)
		spoil(&s)
		if _, err := b.Save(t.Context(), s, nil); !errors.Is(err, ErrScores) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want ErrScores with %q", err, want)
		}
		if after := dump(t, b); after != before {
			t.Fatalf("%s: the book changed:\n%s\nbefore:\n%s", want, after, before)
		}
	}
}

func nan() float64 { var zero float64; return zero / zero }
