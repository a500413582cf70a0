package course

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// option is a line of nbgrader_config.py that sets something, and its value if that is
// a plain string.
var option = regexp.MustCompile(`^\s*c\.(\w+)\.(\w+)\s*=\s*(?:"([^"\\]*)"|'([^'\\]*)'|(.*?))\s*(?:#.*)?$`)

// fixed are nbgrader's settings that would change where things are or what is hidden,
// with the values that they have here.
var fixed = map[string]string{
	"CourseDirectory.root":                        "",
	"CourseDirectory.db_url":                      "",
	"CourseDirectory.directory_structure":         "{nbgrader_step}/{student_id}/{assignment_id}",
	"CourseDirectory.source_directory":            string(Source),
	"CourseDirectory.release_directory":           string(Release),
	"CourseDirectory.submitted_directory":         string(Submitted),
	"CourseDirectory.autograded_directory":        string(Autograded),
	"CourseDirectory.feedback_directory":          string(Feedback),
	"ClearSolutions.begin_solution_delimeter":     "BEGIN SOLUTION",
	"ClearSolutions.end_solution_delimeter":       "END SOLUTION",
	"ClearHiddenTests.begin_test_delimeter":       "BEGIN HIDDEN TESTS",
	"ClearHiddenTests.end_test_delimeter":         "END HIDDEN TESTS",
	"ClearMarkScheme.begin_mark_scheme_delimeter": "BEGIN MARK SCHEME",
	"ClearMarkScheme.end_mark_scheme_delimeter":   "END MARK SCHEME",
}

// readNbgrader reads what it needs of nbgrader_config.py, and reports whether that is
// there. The file is a Python program, which is not run: settings count that are plain
// strings on a line of their own. One that this package cannot follow is an error if
// it matters.
func (c *Course) readNbgrader() (bool, error) {
	file := filepath.Join(c.Dir, "nbgrader_config.py")
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("course: %w", err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		m := option.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		key, value := m[1]+"."+m[2], m[3]+m[4]
		at := fmt.Sprintf("course: %s, line %d: %s", file, i+1, key)
		want, must := fixed[key]
		switch key {
		case "CourseDirectory.course_id":
			if c.ID == "" {
				c.ID = strings.TrimSpace(value)
			}
		case "IncludeHeaderFooter.header", "IncludeHeaderFooter.footer":
			if m[5] != "" || value != "" && !filepath.IsLocal(value) {
				return false, fmt.Errorf("%s: want the path of a notebook within the course folder, in quotes", at)
			}
			if m[2] == "header" {
				c.Header = value
			} else {
				c.Footer = value
			}
		default:
			if must && (value != want || m[5] != "") {
				return false, fmt.Errorf("%s is not %q, and marginalia follows no other value: remove the line", at, want)
			}
		}
	}
	return true, nil
}
