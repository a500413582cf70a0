package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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
submitted/STUDENT/NAME. FILES are zips as Moodle, Canvas, Blackboard, Brightspace (D2L),
ILIAS, OpenOLAT, Sakai and Gradescope export them, the same unpacked, the folder inbound of
nbgrader's exchange, clones of GitHub Classroom, or folders and zips with a folder for
each student. A student may hand in a zip. With --student all FILES are that student's;
those that nbgrader's exchange names after another student are refused.

A student's id is the number or login that the system has, unless a roster gives
another: roster.csv in the course folder, or --roster, else the students in
gradebook.db. It is CSV with the columns id, first_name, last_name, email, lms_user_id;
Moodle's grading worksheet (in any language), the gradebook that Canvas, Blackboard,
Brightspace or Sakai exports, and GitHub Classroom's roster will do. Its students come into
gradebook.db, so that their marks find the way back. Moodle's worksheet also says when each
student handed in, which its zip does not. What the names of files say of students without
a roster comes into gradebook.db too.

A number counts among those of its system, and only if the name beside it agrees with the
roster's. A team's work goes to all its members, whom the roster's column Group names. What
may be of two students, or of one whom its name contradicts, is refused.

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
			if o.Roster, o.Known, err = rosterOf(c.Context(), roster, o.Course); err != nil {
				return err
			}
			w := c.OutOrStdout()
			o.Waiting = func(holder string) {
				fmt.Fprintf(os.Stderr, "marginalia: waiting for %s, which collects into this course\n", holder)
			}
			var count collected
			o.Report = func(t collect.Taken) { count.report(w, t, o.Course.Zone()) }
			res, err := collect.Collect(c.Context(), o)
			if kept := keepNames(context.WithoutCancel(c.Context()), w, o.Course, res.Taken); err == nil {
				err = kept
			}
			if len(res.Unlisted) > 0 {
				fmt.Fprintf(w, "note     students like %s are not in the roster, and have the system's number or login for an id\n", some(res.Unlisted))
			}
			if len(res.Strange) > 0 {
				fmt.Fprintf(w, "note     names like %s are no known system's: if they are ids, all is well; if not, remove their folders from submitted and attempts, and collect again with a roster, or with --student\n", some(res.Strange))
			}
			if len(res.ByName) > 0 {
				fmt.Fprintf(w, "note     students like %s were found by name alone: with them stand other participant numbers, as another assignment of Moodle's has them\n", some(res.ByName))
			}
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

// some returns the first of some names, for a message.
func some(names []string) string {
	var quoted []string
	for _, name := range names[:min(len(names), 3)] {
		quoted = append(quoted, strconv.Quote(name))
	}
	return strings.Join(quoted, ", ")
}

// rosterOf reads the roster that is named, or the one that lies in the course, and brings
// its students into the gradebook. known are the students of the gradebook whom it has not.
func rosterOf(ctx context.Context, name string, folder *course.Course) (roster, known *collect.Roster, err error) {
	f, err := os.Open(cmp.Or(name, filepath.Join(folder.Dir, "roster.csv")))
	if os.IsNotExist(err) && name == "" {
		known, err = gradebookRoster(ctx, folder, nil)
		return nil, known, err
	}
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if roster, err = collect.ReadRoster(f, folder.Zone()); err != nil {
		return nil, nil, err
	}
	var students []gradebook.Student
	for _, s := range roster.Students() {
		if s.Last == "" {
			s.First, s.Last = nameParts(s.Name)
		}
		students = append(students, gradebook.Student{ID: s.ID, FirstName: s.First, LastName: s.Last, Email: s.Email, LMS: s.LMSUserID, LMSSort: bookSort(s.LMSSort)})
	}
	book, err := gradebook.Create(ctx, folder.Gradebook())
	if err != nil {
		return nil, nil, err
	}
	err = book.SetStudents(ctx, students...)
	book.Close()
	if err == nil {
		known, err = gradebookRoster(ctx, folder, students)
	}
	return roster, known, err
}

// bookSort is the sort of a number as the gradebook keeps it: Canvas's is what nbgrader's
// users have in lms_user_id.
func bookSort(sort collect.Sort) gradebook.LMSSort {
	if sort == collect.CanvasUser {
		return gradebook.Unsorted
	}
	return gradebook.LMSSort(sort)
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

// gradebookRoster returns the students of the course's gradebook of whom it has more than
// an id, without those of a roster; nil if there are none.
func gradebookRoster(ctx context.Context, folder *course.Course, roster []gradebook.Student) (*collect.Roster, error) {
	if _, err := os.Stat(folder.Gradebook()); os.IsNotExist(err) {
		return nil, nil
	}
	book, err := gradebook.Open(ctx, folder.Gradebook())
	if err != nil {
		return nil, err
	}
	defer book.Close()
	all, err := book.Students(ctx)
	if err != nil {
		return nil, err
	}
	listed := map[string]bool{}
	for _, s := range roster {
		listed[s.ID] = true
	}
	var students []collect.Student
	for _, s := range all {
		if !listed[s.ID] && s != (gradebook.Student{ID: s.ID}) {
			students = append(students, collect.Student{ID: s.ID, First: s.FirstName, Last: s.LastName, Email: s.Email, LMSUserID: s.LMS, LMSSort: collect.Sort(s.LMSSort)})
		}
	}
	if len(students) == 0 {
		return nil, nil
	}
	return collect.NewRoster(students)
}

// keepNames brings what the inputs say of students into the gradebook, where it has
// nothing yet, and prints what contradicts it.
func keepNames(ctx context.Context, w io.Writer, folder *course.Course, taken []collect.Taken) error {
	said := map[string]gradebook.Student{}
	for _, t := range taken {
		r := t.Record
		s := gradebook.Student{ID: t.Student, Email: r.LMSEmail}
		switch r.LMSSort {
		case collect.Participant, collect.CanvasUser, collect.Number, collect.D2LUser, collect.ILIASUser:
			s.LMS, s.LMSSort = r.LMSUserID, bookSort(r.LMSSort)
		}
		if r.LMSName != t.Student && r.Source != "folder" {
			s.FirstName, s.LastName = nameParts(r.LMSName)
		}
		if r.Team == "" && s != (gradebook.Student{ID: t.Student}) {
			said[t.Student] = s
		}
	}
	if len(said) == 0 {
		return nil
	}
	book, err := gradebook.Create(ctx, folder.Gradebook())
	if err != nil {
		return err
	}
	defer book.Close()
	all, err := book.Students(ctx)
	if err != nil {
		return err
	}
	for _, have := range all {
		s, there := said[have.ID]
		if !there {
			continue
		}
		if have.FirstName+have.LastName != "" {
			if names := [2]string{have.FirstName + " " + have.LastName, s.FirstName + " " + s.LastName}; !collect.Agree(names[0], names[1]) {
				fmt.Fprintf(w, "note     %s is %s in the gradebook, and %s in what was collected\n",
					collect.Printable(have.ID), collect.Printable(strings.TrimSpace(names[0])), collect.Printable(strings.TrimSpace(names[1])))
			}
			s.FirstName, s.LastName = "", ""
		}
		if have.Email != "" {
			s.Email = ""
		}
		if have.LMS != "" {
			s.LMS, s.LMSSort = "", gradebook.Unsorted
		}
		said[have.ID] = s
	}
	var students []gradebook.Student
	for _, id := range slices.Sorted(maps.Keys(said)) {
		students = append(students, said[id])
	}
	return book.SetStudents(ctx, students...)
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
