package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/course"
	"marginalia/internal/course/collect"
	"marginalia/internal/course/grade"
	"marginalia/internal/course/platforms"
)

// markFormats are the formats of course export.
var markFormats = map[string]func(io.Writer, platforms.Marks) ([]string, error){
	"csv":    platforms.Nbgrader,
	"moodle": platforms.Moodle,
	"canvas": platforms.Canvas,
}

// resultFormats are the formats of one submission.
var resultFormats = map[string]func(platforms.Grading) ([]byte, error){
	"gradescope":   platforms.Gradescope,
	"prairielearn": platforms.PrairieLearn,
}

func newCourseExport(f *courseFolder) *cobra.Command {
	var format, file, student string
	c := &cobra.Command{
		Use:   "export [NAME…] [--format FORMAT] [--student S] [-o FILE]",
		Short: "Write the marks for nbgrader, Moodle, Canvas, Gradescope or PrairieLearn",
		Long: `Export writes what the students get for the named assignments, by default for all, to
standard output or FILE, as CSV:

  csv     the columns of nbgrader export, one row for each assignment and student
  moodle  for Grades, Import, CSV file: map Username, ID number (the gradebook's
          lms_user_id) or Email address to the user, each assignment to its grade item;
          grades beyond the maximum need Moodle's setting unlimitedgrades. What is not
          known is "(unknown)": Moodle refuses the file if you map such a column
  canvas  for Grades, Import: Canvas finds students by the gradebook's lms_user_id, else
          by login or name, and assignments by name

Late penalties are those of course.toml, computed anew from the marks that count now.
Texts that a spreadsheet would run as formulas get an apostrophe in front. Named on standard
error are students whom a format can't name, also those whose id is only the number of a
platform's file names, and those whose marks are still to be given or reviewed by hand.

Or, for platforms that have a grader for each submission, what course grade found in that
of one student for one assignment: results.json, with words, places in the notebook and
points, and of hidden tests the words alone.

  gradescope    for /autograder/results/results.json
  prairielearn  for /grade/results/results.json` + statuses("the marks could not be written"),
		RunE: func(c *cobra.Command, names []string) error {
			if err := c.Context().Err(); err != nil {
				return err
			}
			write, ok := markFormats[format]
			result, one := resultFormats[format]
			switch {
			case !ok && !one:
				return usageError{fmt.Errorf("course export: --format %s: want csv, moodle, canvas, gradescope or prairielearn", format)}
			case one && (len(names) != 1 || student == ""):
				return usageError{fmt.Errorf("course export: --format %s is of one submission: want NAME and --student", format)}
			case ok && student != "":
				return usageError{fmt.Errorf("course export: --student is for --format gradescope and prairielearn: %s has all students", format)}
			}
			folder, err := f.open()
			if err != nil {
				return err
			}
			save := func(write func(io.Writer) error) error {
				if file == "" || file == "-" {
					return write(c.OutOrStdout())
				}
				return atomicfile.Stream(file, write)
			}
			if one {
				r, err := findings(folder, names[0], student)
				if err != nil {
					return err
				}
				data, err := result(r)
				if err != nil {
					return err
				}
				return save(func(w io.Writer) error {
					_, err := w.Write(data)
					return err
				})
			}
			m, err := countedMarks(c.Context(), folder, names)
			if err != nil {
				return err
			}
			if m.Handins, err = handins(folder, m); err != nil {
				return err
			}
			var notes []string
			if err := save(func(w io.Writer) (err error) { notes, err = write(w, m); return err }); err != nil {
				return err
			}
			for _, note := range notes {
				fmt.Fprintf(c.ErrOrStderr(), "marginalia: %s: %s\n", format, note)
			}
			for _, a := range m.Assignments {
				printUnfinished(c.ErrOrStderr(), a)
			}
			return nil
		},
	}
	c.Flags().StringVar(&format, "format", "csv", "csv, moodle, canvas, gradescope or prairielearn")
	c.Flags().StringVar(&student, "student", "", "the `id` of the student whose submission it is")
	c.Flags().StringVarP(&file, "output", "o", "", "the `file` to write, - for standard output")
	return c
}

// handins returns what platforms called the students who handed in there.
func handins(co *course.Course, m platforms.Marks) (map[string][]platforms.Handin, error) {
	all := map[string][]platforms.Handin{}
	for _, a := range m.Assignments {
		for id := range a.Submissions {
			dir, err := co.Path(course.Submitted, id, a.Name)
			if err != nil {
				return nil, err
			}
			r, err := collect.ReadRecord(dir)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			all[id] = append(all[id], platforms.Handin{Platform: r.Source, Number: r.LMSUserID, Name: r.LMSName})
		}
	}
	return all, nil
}

// findings returns what course grade found in a student's submission.
func findings(co *course.Course, name, student string) (r platforms.Grading, err error) {
	dir, err := co.Path(course.Autograded, student, name)
	if err != nil {
		return r, err
	}
	record, err := grade.ReadRecord(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return r, fmt.Errorf("course: %s of %s is not graded: course grade does that", name, student)
	}
	if err != nil {
		return r, err
	}
	r = platforms.Judged(record.Notebooks...)
	faults := ""
	for _, f := range record.Faults {
		faults += f.String() + "\n"
	}
	if len(record.Faults) == len(record.Notebooks) {
		r.Refused = strings.TrimSuffix(faults, "\n")
	} else {
		r.Message = strings.TrimSpace(faults + r.Message)
	}
	return r, nil
}
