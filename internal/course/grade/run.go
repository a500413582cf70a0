package grade

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"marginalia/internal/course"
	"marginalia/internal/course/gradebook"
	"marginalia/internal/course/platforms"
	"marginalia/internal/course/release"
	"marginalia/internal/course/shard"
)

// Options say what Run grades.
type Options struct {
	Course   *course.Course
	Release  *release.Handout
	Builder  *Builder
	Book     *gradebook.Book // nil: results go to files in Results (see course/shard)
	Results  string
	Students []string // ids
	Jobs     int
	// NoOutputs leaves the cells of submissions as they were handed in, whatever course.toml says.
	NoOutputs bool
	Report    func(Graded) // called by one goroutine at a time
}

// Graded says what became of a submission.
type Graded struct {
	Student     string
	Score, Max  float64
	Unchanged   bool // it was graded before
	Faults      []Fault
	Changes     []Change
	NotRun      error // why cells have not been run for their outputs, which should have been: they are, the next time
	Err         error // why it could not be graded: it has no marks then
	Done, Total int
	Left        time.Duration // estimated from those that were judged

	before *Record // of the time before, if there is one
}

// A runner grades the submissions of one assignment.
type runner struct {
	Options
	version, code string
	settings      course.Settings
	terms         *gradebook.Terms
	graders       []*Grader
	warming       sync.Mutex
	warmed        map[int]bool                    // notebooks
	book          map[string]gradebook.Submission // as the gradebook had them, by student
}

// Run grades submissions, Jobs at a time. What it stores of one is a folder below autograded, its record
// there, and then one transaction of the gradebook, so a run that was killed is
// repeated: submissions whose files, assignment and settings are as in their record are not judged again.
func Run(ctx context.Context, o Options) error {
	r := &runner{Options: o, settings: o.Course.Settings(o.Release.Name), warmed: map[int]bool{}, book: map[string]gradebook.Submission{}}
	var err error
	if r.version, err = shard.Version(o.Course, o.Release.Name); err != nil {
		return err
	}
	if r.code, err = o.Builder.Code(ctx); err != nil {
		return err
	}
	for _, nb := range o.Release.Notebooks {
		g, err := o.Builder.Grader(ctx, nb.Source, SettingsOf(o.Course, o.Release))
		if err != nil {
			return fmt.Errorf("%s.ipynb: %w", nb.Name, err)
		}
		g.judged = &judged{}
		r.graders = append(r.graders, g)
	}
	if r.limits().Notebook > 0 {
		cache, err := outputsCache()
		if err != nil {
			return err
		}
		prune(cache, time.Now())
	}
	if r.terms, err = platforms.Terms(o.Course, o.Release.Name); err != nil {
		return err
	}
	if r.Book != nil {
		// Submissions that are not judged again follow the dates of course.toml as well.
		if _, err := platforms.Penalize(ctx, r.Book, o.Course, o.Release.Name); err != nil {
			return err
		}
		before, err := r.Book.Submissions(ctx, o.Release.Name)
		if err != nil {
			return err
		}
		for _, s := range before {
			r.book[s.Student.ID] = s
		}
	}
	group, running := errgroup.WithContext(ctx)
	students := make(chan string)
	group.Go(func() error {
		defer close(students)
		for _, id := range o.Students {
			select {
			case students <- id:
			case <-running.Done():
				return running.Err()
			}
		}
		return nil
	})
	var report sync.Mutex
	done, judged, begun := 0, 0, time.Now()
	for range max(1, o.Jobs) {
		group.Go(func() error {
			own := make([]*Grader, len(r.graders))
			for i, g := range r.graders {
				own[i] = g.own()
				defer own[i].Close()
			}
			for id := range students {
				g := r.one(running, own, id)
				if running.Err() != nil {
					return running.Err()
				}
				report.Lock()
				if done++; !g.Unchanged {
					judged++
				}
				if g.Done, g.Total = done, len(o.Students); judged > 0 {
					g.Left = time.Since(begun) / time.Duration(judged) * time.Duration(g.Total-done)
				}
				o.Report(g)
				report.Unlock()
				if errors.Is(g.Err, errBook) {
					return g.Err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// errBook is that of a gradebook that can't be written: no other submission's can, then.
var errBook = errors.New("grade: the gradebook can't be written")

// one grades a submission.
func (r *runner) one(ctx context.Context, graders []*Grader, id string) (g Graded) {
	g.Student = id
	rec, err := r.record(ctx, graders, id, &g)
	if err != nil {
		g.Err = err
		return g
	}
	for _, nb := range rec.Notebooks {
		for _, t := range nb.Tests {
			g.Score, g.Max = g.Score+t.Score, g.Max+t.Max
		}
	}
	if r.Book == nil {
		_, g.Err = shard.Write(r.Results, shard.Result{Version: r.version, Scores: rec.Scores})
		return g
	}
	if g.Unchanged && r.inBook(rec.Scores) {
		return g
	}
	changes, err := r.Book.Save(ctx, rec.Scores, r.terms)
	if g.Err = err; err != nil && !errors.Is(err, gradebook.ErrScores) {
		g.Err = errors.Join(errBook, err)
	}
	for _, c := range changes {
		g.Changes = append(g.Changes, Change{c, why(g.before, rec, c)})
	}
	return g
}

// inBook reports whether the gradebook has the time and the grader's marks of a record.
func (r *runner) inBook(s gradebook.Scores) bool {
	book, ok := r.book[s.Student]
	have := map[[2]string]*float64{}
	for _, nb := range book.Notebooks {
		for _, m := range nb.Cells {
			have[[2]string{nb.Name, m.Cell}] = m.Auto
		}
	}
	for _, nb := range s.Notebooks {
		for _, c := range nb.Cells {
			if c.Auto != nil {
				mark := have[[2]string{nb.Notebook, c.Cell}]
				ok = ok && mark != nil && *mark == *c.Auto
			}
		}
	}
	return ok && book.Submitted.Equal(s.Submitted.Truncate(time.Microsecond))
}
