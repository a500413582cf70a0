package collect

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"marginalia/internal/course/moment"
)

// unfinished is how folders in attempts/ begin that are being written.
const unfinished = ".new-"

// A stored file is one of an attempt.
type stored struct {
	path    string // below files/, with slashes; "" if it was refused
	from    string // as the student had it
	sum     string // SHA-256
	zip     bool   // a zip whose files are beside it
	refused string
}

// A whose is a student whose work a hand-in is.
type whose struct {
	id        string
	submitted time.Time // by the roster; zero if it does not say
}

// take makes an attempt of a student's of what was handed in, unless it is there already.
func (c *collector) take(ctx context.Context, h *handin, to whose) error {
	if h.noTime != nil {
		return fmt.Errorf("%w: %w", errTime, h.noTime)
	}
	student, when := to.id, h.when
	tmp, err := c.temporary()
	if err != nil {
		return err
	}
	defer c.root.RemoveAll(tmp)
	if when.IsZero() && (h.source == "folder" || h.source == "sakai") {
		if when, err = timestampOf(h.files, c.Course.Zone()); err != nil {
			return err
		}
	}
	if when.IsZero() {
		when = to.submitted
	}
	w := &writer{ctx: ctx, root: c.root, dir: path.Join(tmp, "files"), taken: map[string]string{}}
	if err := c.root.Mkdir(w.dir, 0o777); err != nil {
		return err
	}
	if err := w.all(h.files); err != nil {
		return err
	}
	rec := &Record{
		Assignment: c.Assignment, Student: student, Source: h.source, LMSName: h.name, LMSEmail: h.email, Team: h.team,
		Timestamp: when, Late: h.late, Collected: c.Now().UTC(),
		From: []string{h.from},
	}
	if !h.there.IsZero() {
		rec.Collected = h.there.UTC() // it is older than what this call collects
	}
	switch {
	case h.team != "":
		rec.LMSName, rec.TeamNumber = "", h.key
		rec.Notes = append(rec.Notes, h.teamNote(student))
	case h.source != "folder":
		rec.LMSUserID, rec.LMSSort = h.key, h.sort
	}
	if h.note != "" {
		rec.Notes = append(rec.Notes, h.note)
	}
	for _, s := range w.files {
		rec.From = append(rec.From, s.from)
	}
	rec.Attempt = attemptName(when, w.files)
	dir := path.Join(attemptsDir, student, c.Assignment)
	if _, err := c.root.Lstat(path.Join(dir, rec.Attempt)); err == nil {
		return nil // collected before
	}
	if rec.Timestamp.IsZero() && h.there.IsZero() {
		// It is newer than what was collected before, also if the clock went back since.
		before, err := c.attempts(student)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, b := range before {
			if at := b.time(); !at.Before(rec.Collected) {
				rec.Collected = at.Add(time.Second)
			}
		}
	}
	if id := studentID(h.key); id != student && h.source != "folder" {
		was, err := ReadRecord(filepath.Join(c.Course.Dir, submittedDir, id, c.Assignment))
		if err == nil && was.Source == h.source && was.LMSUserID == h.key && Agree(h.name, was.LMSName) {
			rec.Notes = append(rec.Notes, fmt.Sprintf("was collected as %s before the roster had this student: remove submitted/%[1]s/%[2]s and attempts/%[1]s/%[2]s, or it is graded twice", id, c.Assignment))
		}
	}
	c.examine(rec, tmp, w)
	if err := writeFile(c.root, path.Join(tmp, RecordFile), bytes.NewReader(rec.encode())); err != nil {
		return err
	}
	if err := sync(c.root, tmp); err != nil {
		return err
	}
	if err := c.root.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := c.root.Rename(tmp, path.Join(dir, rec.Attempt)); err != nil {
		return err
	}
	c.added[student]++
	return syncOne(c.root, dir)
}

// teamNote says with whom a member of a team handed in.
func (h *handin) teamNote(student string) string {
	var others []string
	for _, w := range h.students {
		if w.id != student {
			others = append(others, Printable(w.id))
		}
	}
	if len(others) == 0 {
		return fmt.Sprintf("handed in by the team %s, which has no other member", Printable(h.team))
	}
	return fmt.Sprintf("handed in by the team %s, for %s too", Printable(h.team), strings.Join(others, ", "))
}

// attemptName returns the name of an attempt's folder: its time, and a hash of what
// was handed in.
func attemptName(when time.Time, files []stored) string {
	h := sha256.New()
	lines := make([]string, 0, len(files))
	for _, s := range files {
		lines = append(lines, fmt.Sprintf("%q %s %q\n", s.path, s.sum, s.refused))
	}
	slices.Sort(lines)
	for _, line := range lines {
		io.WriteString(h, line)
	}
	name := "undated"
	if !when.IsZero() {
		name = when.UTC().Format("20060102T150405.000000Z")
	}
	return name + "-" + hex.EncodeToString(h.Sum(nil))[:12]
}

// temporary makes a folder to write in.
func (c *collector) temporary() (string, error) {
	for n := 0; ; n++ {
		name := path.Join(attemptsDir, unfinished+strconv.Itoa(n))
		if err := c.root.Mkdir(name, 0o777); !errors.Is(err, fs.ErrExist) {
			return name, err
		}
	}
}

// errTime says that a time can't be read. Without this error a late submission would count as
// in time.
var errTime = errors.New("when it was handed in")

// timestampOf reads nbgrader's timestamp.txt, zero if there is none. zone is the course's.
func timestampOf(files []file, zone *time.Location) (when time.Time, err error) {
	for _, f := range files {
		if len(f.path) != 1 || f.path[0] != timestampFile {
			continue
		}
		text, err := []byte(nil), errors.New(f.refused)
		if f.refused == "" {
			text, err = readHead(f, 200)
		}
		if err == nil {
			when, err = moment.Parse(string(text), time.UTC, zone)
		}
		if err != nil {
			err = fmt.Errorf("%w: %s: %w", errTime, timestampFile, err)
		}
		return when, err
	}
	return when, nil
}
