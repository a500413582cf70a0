package collect

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// timestampFile is where nbgrader's tools look for the time of a submission.
const timestampFile = "timestamp.txt"

// nbgraderTime is how nbgrader's exchange writes it (Exchange.timestamp_format).
const nbgraderTime = "2006-01-02 15:04:05.000000 MST"

// edited is how attempts begin that are submissions which somebody changed by hand.
// They are kept, and never count again.
const edited = "edited-"

// submit puts the attempt of every student that counts into submitted/, of this call
// and of one that was killed. It reports the students of this call's inputs, and those
// whose submission it changed.
func (c *collector) submit(ctx context.Context) (all []Taken, err error) {
	for _, student := range c.students() {
		if ctx.Err() != nil {
			return all, context.Cause(ctx)
		}
		t, err := c.place(ctx, student)
		if errors.Is(err, errTime) {
			c.refuse(path.Join(submittedDir, student, c.Assignment), file{}, err.Error())
			continue
		}
		if err != nil {
			return all, fmt.Errorf("collect: the submission of %s: %w", Printable(student), err)
		}
		if t.Record != nil && (c.handedIn[student] || t.State != Unchanged) {
			all = append(all, t)
			c.Report(t)
		}
	}
	return all, nil
}

// place brings one student's submission up to date.
func (c *collector) place(ctx context.Context, student string) (Taken, error) {
	t := Taken{Student: student, State: First, New: c.added[student]}
	target := path.Join(submittedDir, student, c.Assignment)
	attempts, err := c.attempts(student)
	if err != nil {
		return t, err
	}
	var there *Record
	if c.has(submittedDir, student) {
		t.State = Replaced
		there, err = c.record(target)
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return t, err
		case err != nil || !slices.ContainsFunc(attempts, func(a *Record) bool { return a.Attempt == there.Attempt }):
			there = nil
			if err := c.adopt(ctx, student, target); err != nil {
				return t, err
			}
			if attempts, err = c.attempts(student); err != nil {
				return t, err
			}
		}
	}
	if len(attempts) == 0 {
		return t, nil
	}
	t.Attempts = len(attempts)
	if t.Record, err = c.counts(student, attempts); err != nil {
		return t, err
	}
	if there != nil && there.Attempt == t.Record.Attempt {
		t.State, t.Record = Unchanged, there
		return t, nil
	}
	tmp, err := c.temporary()
	if err != nil {
		return t, err
	}
	defer c.root.RemoveAll(tmp)
	built := path.Join(tmp, "submission")
	if err := c.build(t.Record, built); err != nil {
		return t, err
	}
	if err := c.root.MkdirAll(path.Dir(target), 0o777); err != nil {
		return t, err
	}
	if t.State == First {
		err = c.root.Rename(built, target)
	} else {
		if err := c.keepEdited(ctx, there, student, target); err != nil {
			return t, err
		}
		err = exchange(c.root, built, target)
	}
	if err != nil {
		return t, err
	}
	return t, syncOne(c.root, path.Dir(target))
}

// attempts returns the records of a student's attempts.
func (c *collector) attempts(student string) (all []*Record, err error) {
	dir := path.Join(attemptsDir, student, c.Assignment)
	entries, err := fs.ReadDir(c.root.FS(), dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), edited) {
			continue
		}
		rec, err := c.record(path.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		rec.Attempt = e.Name()
		all = append(all, rec)
	}
	return all, nil
}

func (c *collector) record(dir string) (*Record, error) {
	name := path.Join(dir, RecordFile)
	f, err := c.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return decodeRecord(f, name)
}

// counts returns the attempt that counts: the last, or with BeforeDue the last that
// was not late, if there is one. Who hands in the same files several times in a row has
// handed them in at the first of these times. Something else in between ends the row: a
// student can't choose among earlier attempts after the due date.
func (c *collector) counts(student string, attempts []*Record) (*Record, error) {
	slices.SortFunc(attempts, func(a, b *Record) int {
		return cmp.Or(a.time().Compare(b.time()), a.Collected.Compare(b.Collected), cmp.Compare(a.Attempt, b.Attempt))
	})
	at := len(attempts) - 1
	if due := c.Course.Settings(c.Assignment).InTime(student); c.BeforeDue && !due.IsZero() {
		for i, a := range attempts {
			if !a.Late && !a.time().After(due) {
				at = i
			}
		}
	}
	if at == 0 {
		return attempts[0], nil
	}
	own, err := c.filesOf(attempts[at])
	for ; err == nil && at > 0; at-- {
		before, err := c.filesOf(attempts[at-1])
		if err != nil || before != own {
			return attempts[at], err
		}
	}
	return attempts[at], err
}

// filesOf returns a hash of what a student handed in: nbgrader's exchange adds a time and a
// secret, which differ each time.
func (c *collector) filesOf(rec *Record) (string, error) {
	return hashOf(c.root, path.Join(attemptsDir, rec.Student, c.Assignment, rec.Attempt, "files"), timestampFile, "submission_secret.txt")
}

// time is when an attempt was handed in, or if nothing says so when it was collected.
func (r *Record) time() time.Time {
	if r.Timestamp.IsZero() {
		return r.Collected
	}
	return r.Timestamp
}

// build writes the submission that an attempt makes: notebooks under their names, all
// files that are no notebooks, the time, and the record.
func (c *collector) build(rec *Record, to string) error {
	if err := c.root.MkdirAll(to, 0o777); err != nil {
		return err
	}
	from := path.Join(attemptsDir, rec.Student, c.Assignment, rec.Attempt, "files")
	own := map[string]bool{fold(timestampFile): true, fold(RecordFile): true}
	notebooks := map[string]bool{} // whatever their names are
	for name, file := range rec.Notebooks {
		notebooks[file] = true
		own[fold(name+".ipynb")] = true
		if err := c.copyFile(path.Join(from, file), path.Join(to, name+".ipynb")); err != nil {
			return err
		}
	}
	err := fs.WalkDir(c.root.FS(), from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel := strings.TrimPrefix(name, from+"/")
		first, _, _ := strings.Cut(rel, "/")
		if isNotebook(rel) || isZip(rel) || notebooks[rel] || own[fold(first)] {
			return nil
		}
		return c.copyFile(name, path.Join(to, rel))
	})
	if err != nil {
		return err
	}
	if !rec.Timestamp.IsZero() {
		text := rec.Timestamp.UTC().Format(nbgraderTime)
		if err := writeFile(c.root, path.Join(to, timestampFile), strings.NewReader(text)); err != nil {
			return err
		}
	}
	if rec.Placed, err = hashOf(c.root, to, RecordFile); err != nil {
		return err
	}
	if err := writeFile(c.root, path.Join(to, RecordFile), bytes.NewReader(rec.encode())); err != nil {
		return err
	}
	return sync(c.root, to)
}

func (c *collector) copyFile(from, to string) error {
	f, err := c.root.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := c.root.MkdirAll(path.Dir(to), 0o777); err != nil {
		return err
	}
	return writeFile(c.root, to, f)
}

// hashOf returns a hash of the files in a folder without those to skip.
func hashOf(root *os.Root, dir string, skip ...string) (string, error) {
	h := sha256.New()
	err := fs.WalkDir(root.FS(), dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || slices.Contains(skip, strings.TrimPrefix(name, dir+"/")) {
			return err
		}
		fmt.Fprintf(h, "%q\n", strings.TrimPrefix(name, dir+"/"))
		if !d.Type().IsRegular() {
			return nil
		}
		f, err := root.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		sum := sha256.New()
		_, err = io.Copy(sum, f)
		h.Write(sum.Sum(nil))
		return err
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

// adopt makes an attempt of a submission that is of none: nbgrader or somebody put it
// into submitted/, or the attempts were removed.
func (c *collector) adopt(ctx context.Context, student, dir string) error {
	h, close, err := c.folder(student, dir)
	if err != nil {
		return err
	}
	defer close()
	return c.take(ctx, h, whose{id: student})
}

// folder opens a submission as something that is handed in.
func (c *collector) folder(student, dir string) (h *handin, close func(), err error) {
	root, err := c.root.OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	files, err := readFolder(root)
	if err != nil {
		root.Close()
		return nil, nil, err
	}
	files = slices.DeleteFunc(files, func(f file) bool { return len(f.path) == 1 && f.path[0] == RecordFile })
	info, err := root.Stat(".")
	if err != nil {
		root.Close()
		return nil, nil, err
	}
	return &handin{owner: owner{source: "folder", key: student}, from: dir, files: files, there: info.ModTime()}, func() { root.Close() }, nil
}

// keepEdited keeps a submission that is no longer what was put there: somebody mended
// it by hand.
func (c *collector) keepEdited(ctx context.Context, there *Record, student, dir string) error {
	if there == nil {
		return nil // adopted
	}
	now, err := hashOf(c.root, dir, RecordFile)
	if err != nil || now == there.Placed {
		return err
	}
	kept := path.Join(attemptsDir, student, c.Assignment, edited+now[:12])
	if _, err := c.root.Lstat(kept); err == nil {
		return nil
	}
	tmp, err := c.temporary()
	if err != nil {
		return err
	}
	defer c.root.RemoveAll(tmp)
	h, close, err := c.folder(student, dir)
	if err != nil {
		return err
	}
	defer close()
	w := &writer{ctx: ctx, root: c.root, dir: path.Join(tmp, "files"), taken: map[string]string{}}
	if err := c.root.Mkdir(w.dir, 0o777); err != nil {
		return err
	}
	for _, f := range h.files {
		if _, err := w.one(f, nil); err != nil {
			return err
		}
	}
	if err := sync(c.root, tmp); err != nil {
		return err
	}
	return c.root.Rename(tmp, kept)
}

// exchange makes from the folder to and leaves the old one at from, which is below a
// folder that the caller removes. Where the system cannot swap two folders at once,
// the old one goes first: killed between, the next call finds no submission and puts
// it there.
func exchange(root *os.Root, from, to string) error {
	if err := swap(root, from, to); err == nil {
		return nil
	}
	old := from + ".old"
	if err := root.Rename(to, old); err != nil {
		return err
	}
	return root.Rename(from, to)
}
