package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"marginalia/internal/course/collect"
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
			if err == nil || count.students > 0 {
				fmt.Fprintf(w, "%s: students: %d, new: %d, replaced: %d, unchanged: %d, with a zero: %d; files refused: %d\n",
					o.Assignment, count.students, count.first, count.replaced, count.unchanged, count.zeros, len(res.Refused))
			}
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
