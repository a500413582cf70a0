package feedback

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"marginalia/internal/course"
	"marginalia/internal/course/collect"
)

// Left is a student whose pages a zip for Moodle does not have.
type Left struct{ Student, Reason string }

// MoodleZip writes the pages of an assignment as the zip that Moodle takes under "Upload
// multiple feedback files in a zip". Moodle finds a student by the participant number of
// this assignment, which stands in the second place of a file's name; collect keeps it. What
// a team handed in has the team's number, by which all members would read one member's page.
//
// Source: moodle/moodle, mod/assign/feedback/file/importziplib.php,
// is_valid_filename_for_import.
func MoodleZip(w io.Writer, c *course.Course, name string, ids []string) (left []Left, err error) {
	z := zip.NewWriter(w)
	of := map[string]string{} // number to its student
	for _, id := range ids {
		number, who, reason := moodleNumber(c, name, id)
		if other, there := of[number]; there && reason == "" {
			reason = fmt.Sprintf("%s has the same participant number, %s", collect.Printable(other), number)
		}
		if reason != "" {
			left = append(left, Left{id, reason})
			continue
		}
		of[number] = id
		dir, err := c.Path(course.Feedback, id, name)
		if err != nil {
			return nil, err
		}
		pages, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, page := range pages {
			if filepath.Ext(page.Name()) != ".html" || page.Name()[0] == '.' {
				continue
			}
			text, err := os.ReadFile(filepath.Join(dir, page.Name()))
			if err != nil {
				return nil, err
			}
			info, err := page.Info()
			if err != nil {
				return nil, err
			}
			// Without a time a zip says month 0 of 1980, which some programs refuse.
			f, err := z.CreateHeader(&zip.FileHeader{Name: who + "_" + number + "_assignsubmission_file_" + page.Name(), Method: zip.Deflate, Modified: info.ModTime()})
			if err == nil {
				_, err = f.Write(text)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return left, z.Close()
}

// moodleNumber returns a student's participant number and name at Moodle, or why there is none.
func moodleNumber(c *course.Course, name, id string) (number, who, reason string) {
	dir, err := c.Path(course.Submitted, id, name)
	if err != nil {
		return "", "", err.Error()
	}
	rec, err := collect.ReadRecord(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", "", "course collect did not bring in this submission"
	case err != nil:
		return "", "", err.Error()
	case rec.Team != "":
		return "", "", "handed in by the team " + collect.Printable(rec.Team) + ", all of whose members would get this page"
	case rec.Source != "moodle" || rec.LMSSort != collect.Participant && rec.LMSSort != "" || rec.LMSUserID == "" || strings.Trim(rec.LMSUserID, "0123456789") != "":
		return "", "", "the submission did not come with a participant number of Moodle's"
	}
	// An underscore would move the number to another place.
	who = strings.TrimSpace(strings.Map(func(r rune) rune {
		if strings.ContainsRune("_/\\:*?\"<>|", r) || r < ' ' {
			return ' '
		}
		return r
	}, rec.LMSName))
	if who == "" {
		who = "Participant"
	}
	return rec.LMSUserID, who, ""
}
