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
	"strings"

	"marginalia/internal/course"
	"marginalia/internal/course/collect"
	"marginalia/internal/course/gradebook"
)

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
		students = append(students, inBook(gradebook.Student{ID: s.ID, FirstName: s.First, LastName: s.Last, Email: s.Email}, s.LMSUserID, s.LMSSort))
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

// inBook returns a student with a number as the gradebook keeps it: Canvas's is what
// nbgrader's users have in lms_user_id.
func inBook(s gradebook.Student, number string, sort collect.Sort) gradebook.Student {
	switch sort {
	case collect.Unsorted, collect.CanvasUser:
		s.LMS = number
	case collect.Number:
		s.LMS, s.LMSSort = number, gradebook.IDNumber
	case collect.Participant, collect.D2LUser, collect.ILIASUser:
		s.LMSNumber, s.LMSSort = number, gradebook.LMSSort(sort)
	}
	return s
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

// gradebookRoster returns the students whom the course's gradebook knows by more than an id
// and the roster does not list. It returns nil if all are in the roster.
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
			students = append(students, collect.Student{ID: s.ID, First: s.FirstName, Last: s.LastName, Email: s.Email, LMSUserID: cmp.Or(s.LMS, s.LMSNumber), LMSSort: collect.Sort(s.LMSSort)})
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
		if r.LMSSort != collect.Unsorted {
			s = inBook(s, r.LMSUserID, r.LMSSort)
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
		if have.LMS+have.LMSNumber != "" {
			s.LMS, s.LMSNumber, s.LMSSort = "", "", gradebook.Unsorted
		}
		said[have.ID] = s
	}
	var students []gradebook.Student
	for _, id := range slices.Sorted(maps.Keys(said)) {
		students = append(students, said[id])
	}
	return book.SetStudents(ctx, students...)
}
