package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"marginalia/internal/course"
	"marginalia/internal/course/collect"
	"marginalia/internal/gradebook"
)

func newCourseCollect(folder *courseFolder) *cobra.Command {
	o := collect.Options{}
	var roster string
	c := &cobra.Command{
		Use:   "collect NAME FILES…",
		Short: "Bring what students handed in into the course",
		Long: `Collect takes what students handed in for the assignment NAME and puts it into
submitted/STUDENT/NAME. FILES are zips as Moodle, Canvas, Blackboard and Gradescope
export them, the same unpacked, the folder inbound of nbgrader's exchange, or folders
and zips with a folder for each student. A student may hand in a zip. With --student
all FILES are that student's; those that nbgrader's exchange names after another student
are refused.

A student's id is the number or login that the system has, unless a roster gives
another: roster.csv in the course folder, or --roster, else the students in
gradebook.db. It is CSV with the columns id, first_name, last_name, email, lms_user_id;
Moodle's grading worksheet and the gradebook that Canvas or Blackboard exports will do.
Its students come into gradebook.db, so that their marks find the way back. Moodle's
worksheet also says when each student handed in, which its zip does not.

Every attempt is kept in attempts/STUDENT/NAME. The last one counts, as in nbgrader;
with --before-duedate the last before the due date, extension and grace included, or
the last if there is none. Collecting the same files again changes nothing. A
submission that was changed by hand is kept before a newer attempt replaces it.

What is no notebook of the assignment stays in the attempt, is listed with a zero,
and gets 0 points with that reason: it is not JSON, a Word file, another
assignment's. Links, paths that lead out, encrypted entries, zip bombs and files over
100 MB are not read.` + statuses("a file is no student's, or an input could not be read"),
		Args: cobra.MinimumNArgs(2),
		RunE: func(c *cobra.Command, args []string) (err error) {
			if err := c.Context().Err(); err != nil {
				return err
			}
			if o.Course, err = folder.open(); err != nil {
				return err
			}
			o.Assignment, o.Inputs = args[0], args[1:]
			if o.Roster, err = rosterOf(c.Context(), roster, o.Course); err != nil {
				return err
			}
			w := c.OutOrStdout()
			o.Waiting = func(holder string) {
				fmt.Fprintf(os.Stderr, "marginalia: waiting for %s, which collects into this course\n", holder)
			}
			var count collected
			o.Report = func(t collect.Taken) { count.report(w, t, o.Course.Zone()) }
			res, err := collect.Collect(c.Context(), o)
			for _, r := range res.Refused {
				fmt.Fprintf(w, "refused  %v\n", r)
			}
			fmt.Fprintf(w, "%s: students: %d, new: %d, replaced: %d, unchanged: %d, with a zero: %d; files refused: %d\n",
				o.Assignment, count.students, count.first, count.replaced, count.unchanged, count.zeros, len(res.Refused))
			if err == nil && len(res.Refused) > 0 {
				err = errFailed
			}
			return err
		},
	}
	f := c.Flags()
	f.StringVar(&o.Student, "student", "", "the `id` of the student whose files they all are")
	f.StringVar(&roster, "roster", "", "a CSV `file` with the students' ids and what the system calls them")
	f.BoolVar(&o.BeforeDue, "before-duedate", false, "the last attempt before the due date counts")
	return c
}

// rosterOf reads the roster that is named, or the one that lies in the course, and
// brings its students into the gradebook; without one it has those of the gradebook.
func rosterOf(ctx context.Context, name string, folder *course.Course) (*collect.Roster, error) {
	f, err := os.Open(cmp.Or(name, filepath.Join(folder.Dir, "roster.csv")))
	if os.IsNotExist(err) && name == "" {
		return gradebookRoster(ctx, folder)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	roster, err := collect.ReadRoster(f, folder.Zone())
	if err != nil {
		return nil, err
	}
	var students []gradebook.Student
	for _, s := range roster.Students() {
		if s.Last == "" {
			s.First, s.Last = nameParts(s.Name)
		}
		students = append(students, gradebook.Student{ID: s.ID, FirstName: s.First, LastName: s.Last, Email: s.Email, LMS: s.LMSUserID})
	}
	book, err := gradebook.Create(ctx, folder.Gradebook())
	if err != nil {
		return nil, err
	}
	defer book.Close()
	return roster, book.SetStudents(ctx, students...)
}

// nameParts splits a full name into first and last one: "Lovelace, Ada" as Canvas has
// it, or at the last space.
func nameParts(name string) (first, last string) {
	if last, first, found := strings.Cut(name, ","); found {
		return strings.TrimSpace(first), strings.TrimSpace(last)
	}
	at := strings.LastIndex(name, " ") + 1
	return strings.TrimSpace(name[:at]), name[at:]
}

// gradebookRoster returns the students of the course's gradebook, nil if it has none.
func gradebookRoster(ctx context.Context, folder *course.Course) (*collect.Roster, error) {
	if _, err := os.Stat(folder.Gradebook()); os.IsNotExist(err) {
		return nil, nil
	}
	book, err := gradebook.Open(ctx, folder.Gradebook())
	if err != nil {
		return nil, err
	}
	defer book.Close()
	all, err := book.Students(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	var students []collect.Student
	for _, s := range all {
		students = append(students, collect.Student{ID: s.ID, First: s.FirstName, Last: s.LastName, Email: s.Email, LMSUserID: s.LMS})
	}
	return collect.NewRoster(students)
}

// collected counts what collect did, by student.
type collected struct{ students, first, replaced, unchanged, zeros int }

// report prints what became of one student's files. Its times are in zone, as due dates are.
func (n *collected) report(w io.Writer, t collect.Taken, zone *time.Location) {
	n.students++
	state := "same"
	switch t.State {
	case collect.First:
		n.first++
		state = "new"
	case collect.Replaced:
		n.replaced++
		state = "newer"
	default:
		n.unchanged++
	}
	when := "no time known"
	if at := t.Record.Timestamp; !at.IsZero() {
		when = at.In(zone).Format("2006-01-02 15:04:05 MST")
	}
	if t.Record.Late {
		when += ", late"
	}
	who := collect.Printable(t.Student)
	if name := t.Record.LMSName; name != "" && name != t.Student {
		who += " (" + collect.Printable(name) + ")"
	}
	attempts := "1 attempt"
	if t.Attempts != 1 {
		attempts = fmt.Sprintf("%d attempts", t.Attempts)
	}
	if t.New > 0 && t.New < t.Attempts {
		attempts += fmt.Sprintf(", %d of them new", t.New)
	}
	fmt.Fprintf(w, "%-5s    %s: %s; %s\n", state, who, when, attempts)
	if len(t.Record.Faults) > 0 {
		n.zeros++
	}
	for _, f := range t.Record.Faults {
		notebook := ""
		if f.Notebook != "" {
			notebook = " for " + f.Notebook + ".ipynb"
		}
		fmt.Fprintf(w, "         zero%s: %s\n", notebook, f.Reason)
	}
	if t.State != collect.Unchanged {
		for _, note := range t.Record.Notes {
			fmt.Fprintf(w, "         note: %s\n", strings.TrimSpace(note))
		}
	}
}
