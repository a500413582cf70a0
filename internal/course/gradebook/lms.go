package gradebook

import (
	"cmp"
	"slices"
	"strings"
)

// An LMSSort is the sort of number that a student's LMS or LMSNumber is. A number means
// something among those of its sort alone: Moodle's participant 12 is not the student whose
// ID number is 12.
//
// The column lms_user_id of the book holds SORT:NUMBER, and the number alone if the sort
// is Unsorted.
//
// An export writes a number only into the column of its sort. A student whom collect
// knows from Moodle's file names alone, say 10001 for both ID and LMSNumber, has no user
// name and no ID number: Moodle's name for that student is Participant 10001, in the column
// Identifier of the grading worksheet. An ID that is the LMSNumber is no user name anywhere.
// Moodle gives a student another participant number in each assignment. The one of an
// assignment is in the submission's collected.json (collect.ReadRecord: LMSSort is
// participant, LMSUserID the number); the book has that of the assignment that was
// collected first.
type LMSSort string

const (
	// Unsorted is what the column lms_user_id of a roster has, and Canvas's own number of
	// a student, which nbgrader's users keep there.
	Unsorted LMSSort = ""

	Participant LMSSort = "participant" // Moodle's number of a student in one assignment
	IDNumber    LMSSort = "idnumber"    // ID number of Moodle's profiles: the university's number
	D2LUser     LMSSort = "d2l"         // Brightspace's own number of a user
	ILIASUser   LMSSort = "ilias"       // ILIAS's own number of a user
)

// byFiles are the sorts that no system takes marks back by.
var byFiles = []LMSSort{Participant, D2LUser, ILIASUser}

// stored is what the book keeps of a student's number and its sort.
func (s Student) stored() string {
	number := cmp.Or(s.LMS, s.LMSNumber)
	if s.LMSSort == Unsorted || number == "" {
		return number
	}
	return string(s.LMSSort) + ":" + number
}

// setLMS takes apart what stored made.
func (s *Student) setLMS(stored string) {
	sort, number, _ := strings.Cut(stored, ":")
	switch {
	case LMSSort(sort) == IDNumber:
		s.LMS, s.LMSSort = number, IDNumber
	case slices.Contains(byFiles, LMSSort(sort)):
		s.LMSNumber, s.LMSSort = number, LMSSort(sort)
	default:
		s.LMS = stored
	}
}
