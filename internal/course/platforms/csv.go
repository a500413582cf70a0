package platforms

import (
	"encoding/csv"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"marginalia/internal/course/gradebook"
)

// Nbgrader writes the columns of `nbgrader export`, one row for each assignment and student,
// 0 points for one without a submission, numbers and dates as Python prints them. Unlike
// nbgrader's, the file is valid CSV whatever the names are.
func Nbgrader(w io.Writer, m Marks) (notes []string, err error) {
	t := table{csv.NewWriter(w)}
	t.row("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email", "raw_score", "late_submission_penalty", "score", "max_score")
	for _, a := range m.Assignments {
		for _, st := range m.Students {
			s := a.Submissions[st.ID]
			t.row(a.Name, python(a.Due), python(s.Submitted), st.ID, st.LastName, st.FirstName, st.Email,
				python(s.Score().Total), python(s.Penalty()), python(s.Final()), python(a.Max().Total))
		}
	}
	return nil, t.flush()
}

// finals are what a student gets in the end for each assignment, "" without a submission.
func finals(m Marks, st gradebook.Student) (cells []any) {
	for _, a := range m.Assignments {
		if s, ok := a.Submissions[st.ID]; ok {
			cells = append(cells, rounded(s.Final()))
		} else {
			cells = append(cells, "")
		}
	}
	return cells
}

// A number is one that this package formatted: no spreadsheet takes it for a formula.
type number string

// rounded is a score without the noise of binary fractions: 0.1+0.2 is 0.3.
func rounded(v float64) number {
	return number(strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64))
}

// python is a number or a date as Python's str prints it.
func python(v any) number {
	switch v := v.(type) {
	case float64:
		text := strconv.FormatFloat(v, 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return number(text)
	case time.Time:
		if !v.IsZero() {
			return number(strings.TrimSuffix(v.UTC().Format("2006-01-02 15:04:05.000000"), ".000000"))
		}
	}
	return ""
}

// A table is a CSV file.
type table struct{ *csv.Writer }

// row writes numbers and texts. Its error is that of flush.
func (t table) row(cells ...any) {
	record := make([]string, len(cells))
	for i, c := range cells {
		switch c := c.(type) {
		case number:
			record[i] = string(c)
		case string:
			record[i] = defused(c)
		}
	}
	t.Write(record)
}

func (t table) flush() error {
	t.Flush()
	return t.Error()
}

var numeric = regexp.MustCompile(`^[-+]?[0-9]+([.,][0-9]+)?$`)

// defused is a text that no spreadsheet runs as a formula: one that would be gets an
// apostrophe in front (OWASP, "CSV Injection"). Beside = + - @, tab and carriage return, their
// full-width forms begin formulas in Asian locales, and spaces and invisible letters before
// them are skipped. A number stays one.
func defused(text string) string {
	if numeric.MatchString(text) {
		return text
	}
	visible := strings.TrimLeftFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar
	})
	if strings.IndexAny(visible, "=+-@＝＋－＠") == 0 || strings.IndexAny(text, "\t\r\n") == 0 {
		return "'" + text
	}
	return text
}
