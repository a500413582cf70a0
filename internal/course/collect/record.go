package collect

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// RecordFile is the file of a submission that holds its Record.
const RecordFile = "collected.json"

// A Record says where a submission came from, and what is wrong with it. It lies in
// RecordFile beside the notebooks of submitted/STUDENT/NAME, and in the folder of
// each attempt.
type Record struct {
	Assignment string    `json:"assignment"`
	Student    string    `json:"student"`
	Attempt    string    `json:"attempt"`            // the folder of the attempt
	Source     string    `json:"source"`             // "moodle", "canvas", …, "exchange" or "folder": see owner
	LMSName    string    `json:"lms_name,omitempty"` // what the source calls the student
	LMSEmail   string    `json:"lms_email,omitempty"`
	LMSUserID  string    `json:"lms_user_id,omitempty"` // by what the source tells students apart
	LMSSort    Sort      `json:"lms_sort,omitempty"`    // what that number is
	Team       string    `json:"team,omitempty"`        // who handed in together; then name and number are not known
	TeamNumber string    `json:"team_number,omitempty"` // what a system that has teams calls it
	From       []string  `json:"from"`                  // the inputs, and the path of each file in its own
	Timestamp  time.Time `json:"timestamp,omitzero"`    // when it was handed in; absent if the source does not say
	Late       bool      `json:"late,omitempty"`        // the source says that it was late, not when it was
	Collected  time.Time `json:"collected"`
	Placed     string    `json:"placed"` // hash of the submission's files as they were put there

	// Notebooks goes from a notebook of the assignment to the file of the attempt
	// that it is.
	Notebooks map[string]string `json:"notebooks,omitempty"`

	// Faults are the notebooks that get no points, each with the reason.
	Faults []Fault `json:"faults,omitempty"`

	// Notes are what the assistant may want to know: a file that was too large,
	// a notebook with another name.
	Notes []string `json:"notes,omitempty"`
}

// A Fault is a notebook that was not handed in, or so that it cannot be graded: it
// gets 0 points, and the student reads the reason.
type Fault struct {
	Notebook string `json:"notebook"` // its name without .ipynb; "" if the assignment's notebooks are not known
	Kind     Kind   `json:"kind"`
	Reason   string `json:"reason"`
}

// A Kind is why a file is no submission.
type Kind string

const (
	Missing   Kind = "missing"   // no file was handed in that could be it
	Refused   Kind = "refused"   // the file was not read: too large, a link, encrypted
	Empty     Kind = "empty"     // the file has no bytes
	OtherType Kind = "type"      // a Word file, a PDF, a Python script
	NotJSON   Kind = "json"      // the file is not JSON, or was cut off
	NotValid  Kind = "notebook"  // the JSON is not a notebook
	TooLarge  Kind = "large"     // a notebook with too many cells or values
	Elsewhere Kind = "elsewhere" // a notebook of another assignment
	Several   Kind = "several"   // more than one file could be the notebook
	BadZip    Kind = "zip"       // the zip that was handed in cannot be read
)

// Fault returns why a notebook of the submission gets no points, nil if it can be
// graded.
func (r *Record) Fault(notebook string) *Fault {
	for i, f := range r.Faults {
		if f.Notebook == notebook || f.Notebook == "" && r.Notebooks[notebook] == "" {
			return &r.Faults[i]
		}
	}
	return nil
}

// ReadRecord reads the record of a submission in dir. The error is fs.ErrNotExist
// where there is none: somebody else put the submission there.
func ReadRecord(dir string) (*Record, error) {
	f, err := os.Open(filepath.Join(dir, RecordFile))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return decodeRecord(f, filepath.Join(dir, RecordFile))
}

func decodeRecord(r io.Reader, name string) (*Record, error) {
	rec := &Record{}
	if err := json.NewDecoder(io.LimitReader(r, 64<<20)).Decode(rec); err != nil {
		return nil, fmt.Errorf("collect: %s: %w", name, err)
	}
	return rec, nil
}

func (r *Record) encode() []byte {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		panic(err) // a Record has nothing that JSON could not say
	}
	return append(data, '\n')
}
