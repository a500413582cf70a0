// Package report sums up an assignment for its lecturers: how the marks are distributed, how
// often each check fails and with which messages, what time the tests took, and whose
// solutions are alike. It is made of the gradebook and of the records that course grade left.
//
// It has names of students and messages of hidden tests: it is for lecturers alone. What
// students wrote is bounded and escaped, as in package feedback.
package report

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"marginalia/internal/course"
	"marginalia/internal/course/feedback"
	"marginalia/internal/course/grade"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/course/similar"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/sandbox/verdict"
)

const (
	maxWords    = 300 // bytes of the words of a check, and of a message
	maxMessages = 5   // groups of messages that are shown of a check
	maxGroups   = 500 // groups that are counted
)

// A Report sums up the submissions of one assignment.
type Report struct {
	Assignment string
	Max        float64   // points
	Marks      []float64 // of each submission, late penalties taken off, ascending
	Unfinished int       // submissions with marks still to be given by hand
	Ungraded   int       // submissions with a notebook that can't be graded
	Unjudged   []string  // students without a record, with the reason
	Questions  []*Question
	Seconds    []float64 // processor time of the tests of each judged submission, ascending
	Alike      []similar.Pair
}

// A Question is a cell with points.
type Question struct {
	Notebook, Cell string
	Title          string  // the heading above it, as students' pages have it
	Max, Mean      float64 // points
	Given          int     // marks that have been given
	Checks         []*Check

	byName map[string]*Check
}

// A Check is a test function or a subtest.
type Check struct {
	Name, Words string
	Hidden      bool
	Failed, Run int // submissions
	Messages    []Message

	groups map[string]int // indices in Messages, by texts without their numbers
}

// A Message is what a test said about some submissions. Messages that differ only in their
// numbers count as one.
type Message struct {
	Text  string // the first of them
	Count int
}

// Make reads the submissions of an assignment and compares them. release is what students got, by the names of the notebooks.
func Make(ctx context.Context, c *course.Course, name string, submissions []gradebook.Submission, release map[string]*nbformat.Notebook) (*Report, error) {
	r := &Report{Assignment: name}
	questions := map[[2]string]*Question{}
	var given []similar.Solution
	for _, name := range slices.Sorted(maps.Keys(release)) {
		given = append(given, similar.Code(release[name])...)
	}
	var code []similar.Submission
	for i, s := range submissions {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		r.Marks = append(r.Marks, s.Final())
		if s.NeedsHand() {
			r.Unfinished++
		}
		for _, nb := range s.Notebooks {
			for _, m := range nb.Cells {
				if !m.Graded {
					continue
				}
				key := [2]string{nb.Name, m.Cell}
				q := questions[key]
				if q == nil {
					q = &Question{Notebook: nb.Name, Cell: feedback.Line(m.Cell, maxWords), Max: m.Max, byName: map[string]*Check{}}
					if given := release[nb.Name]; given != nil {
						q.Title = feedback.Title(given, m.Cell)
					}
					questions[key], r.Questions = q, append(r.Questions, q)
				}
				if i == 0 {
					r.Max += m.Max
				}
				if m.Auto != nil || m.Manual != nil {
					q.Given++
					q.Mean += (m.Score() - q.Mean) / float64(q.Given)
				}
			}
		}
		rec, cells, err := judged(c, name, s)
		if err != nil {
			r.Unjudged = append(r.Unjudged, feedback.Line(fmt.Sprintf("%s: %v", s.Student.ID, err), 4*maxWords))
			continue
		}
		code = append(code, similar.Submission{Student: s.Student.ID, Cells: cells})
		if len(rec.Faults) > 0 {
			r.Ungraded++
		}
		seconds := 0.0
		for _, nb := range rec.Notebooks {
			if slices.ContainsFunc(rec.Faults, func(f grade.Fault) bool { return f.Notebook == nb.Notebook }) {
				continue // its checks did not run
			}
			for _, t := range nb.Tests {
				seconds += t.Seconds
				if q := questions[[2]string{nb.Notebook, t.ID}]; q != nil {
					q.add(t)
				}
			}
		}
		r.Seconds = append(r.Seconds, seconds)
	}
	slices.Sort(r.Marks)
	slices.Sort(r.Seconds)
	for _, q := range r.Questions {
		for _, k := range q.Checks {
			slices.SortStableFunc(k.Messages, func(a, b Message) int { return cmp.Compare(b.Count, a.Count) })
			k.Messages = k.Messages[:min(maxMessages, len(k.Messages))]
		}
	}
	var err error
	r.Alike, err = similar.Pairs(ctx, given, code)
	return r, err
}

// judged returns the record of a submission, and its code.
func judged(c *course.Course, name string, s gradebook.Submission) (*grade.Record, []similar.Solution, error) {
	dir, err := c.Path(course.Autograded, s.Student.ID, name)
	if err != nil {
		return nil, nil, err
	}
	rec, err := grade.ReadRecord(dir)
	if err != nil {
		return nil, nil, err
	}
	var cells []similar.Solution
	for _, v := range rec.Notebooks {
		if !filepath.IsLocal(v.Notebook) {
			return nil, nil, fmt.Errorf("its record has the notebook %q", v.Notebook)
		}
		nb, err := nbformat.Read(filepath.Join(dir, v.Notebook+".ipynb"))
		if err != nil {
			return nil, nil, err
		}
		cells = append(cells, similar.Code(nb)...)
	}
	return rec, cells, nil
}

// add counts the verdict on the question's tests.
func (q *Question) add(t verdict.Test) {
	for _, v := range t.Checks {
		k := q.byName[v.Name]
		if k == nil {
			k = &Check{Name: feedback.Line(v.Name, maxWords), Words: feedback.Line(v.Words, maxWords), Hidden: v.Hidden, groups: map[string]int{}}
			q.byName[v.Name], q.Checks = k, append(q.Checks, k)
		}
		k.add(v)
	}
}

// number matches a number in a message.
var number = regexp.MustCompile(`[-+]?\d+(\.\d+)?([eE][-+]?\d+)?`)

// add counts a verdict.
func (k *Check) add(v verdict.Check) {
	k.Run++
	if v.Passed {
		return
	}
	k.Failed++
	seen := map[string]bool{}
	for _, text := range append(slices.Clip(v.Messages[:min(len(v.Messages), 20)]), v.Panic) {
		if text = feedback.Line(text, maxWords); text == "" {
			continue
		}
		group := number.ReplaceAllString(text, "0")
		if seen[group] {
			continue
		}
		seen[group] = true
		at, ok := k.groups[group]
		if !ok {
			if len(k.groups) == maxGroups {
				continue
			}
			at = len(k.Messages)
			k.groups[group], k.Messages = at, append(k.Messages, Message{Text: text})
		}
		k.Messages[at].Count++
	}
}

// leaf reports whether a check has no subtests.
func (q *Question) leaf(k *Check) bool {
	return !slices.ContainsFunc(q.Checks, func(o *Check) bool { return strings.HasPrefix(o.Name, k.Name+"/") })
}

// quantile returns the quantile p of x, which ascends, or 0 if x is empty. It
// interpolates between two of them (Hyndman, Fan, Sample Quantiles in Statistical Packages,
// 1996, definition 7), so that the median of an even number is the mean of the middle two.
func quantile(x []float64, p float64) float64 {
	if len(x) == 0 {
		return 0
	}
	h := p * float64(len(x)-1)
	i := int(h)
	j := min(i+1, len(x)-1)
	return x[i] + (h-float64(i))*(x[j]-x[i])
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(max(1, len(v)))
}
