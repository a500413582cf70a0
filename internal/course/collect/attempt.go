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
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
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

// take makes an attempt of what was handed in, unless it is there already.
func (c *collector) take(ctx context.Context, h *handin) error {
	student, ok := h.key, true
	if h.there.IsZero() {
		student, ok = c.student(h)
	}
	if !ok {
		return nil
	}
	tmp, err := c.temporary()
	if err != nil {
		return err
	}
	defer c.root.RemoveAll(tmp)
	if h.when.IsZero() && h.source == "folder" {
		h.when = timestampOf(h.files)
	}
	w := &writer{ctx: ctx, root: c.root, dir: path.Join(tmp, "files"), taken: map[string]string{}}
	if err := c.root.Mkdir(w.dir, 0o777); err != nil {
		return err
	}
	if err := w.all(h.files); err != nil {
		return err
	}
	rec := &Record{
		Assignment: c.Assignment, Student: student, Source: h.source, LMSName: h.name,
		Timestamp: h.when, Late: h.late, Collected: c.Now().UTC(),
		From: []string{h.from},
	}
	if !h.there.IsZero() {
		rec.Collected = h.there.UTC() // it is older than what this call collects
	}
	if h.source != "folder" {
		rec.LMSUserID = h.key
	}
	for _, s := range w.files {
		rec.From = append(rec.From, s.from)
	}
	rec.Attempt = attemptName(h.when, w.files)
	dir := path.Join(attemptsDir, student, c.Assignment)
	if _, err := c.root.Lstat(path.Join(dir, rec.Attempt)); err == nil {
		return nil // collected before
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

// timestampOf reads nbgrader's timestamp.txt, zero if there is none.
func timestampOf(files []file) time.Time {
	for _, f := range files {
		if len(f.path) == 1 && f.path[0] == timestampFile && f.refused == "" {
			if text, err := readHead(f, 200); err == nil {
				when, _ := parseTime(string(text), time.UTC)
				return when
			}
		}
	}
	return time.Time{}
}

// A writer writes the files of one attempt below dir, with names that every system
// allows, and keeps within the limits.
type writer struct {
	ctx   context.Context
	root  *os.Root
	dir   string
	files []stored
	size  int64
	taken map[string]string // folded path to the path: a folder's ends in /
}

// all writes the files, and those in their zips. The folder that all files lie in is
// left out.
func (w *writer) all(files []file) error {
	for _, f := range common(files) {
		s, err := w.one(f, nil)
		if err != nil {
			return err
		}
		if s.path == "" || !isZip(s.path) {
			continue
		}
		if err := w.unzip(len(w.files) - 1); err != nil {
			return err
		}
	}
	return nil
}

// unzip writes the files in the zip that was written as w.files[i]. Zips in it stay
// closed: a student who zips twice is told so.
func (w *writer) unzip(i int) error {
	z := w.files[i]
	f, err := w.root.Open(path.Join(w.dir, z.path))
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	inside, err := readZip(f, info.Size())
	if err != nil {
		w.files[i].refused = err.Error()
		return nil
	}
	w.files[i].zip = true
	inside = slices.DeleteFunc(inside, func(f file) bool { return isJunk(f.path) })
	for _, f := range common(inside) {
		if _, err := w.one(f, []string{z.from}); err != nil {
			return err
		}
	}
	return nil
}

// common takes the folder from the paths that all files lie in.
func common(files []file) []file {
	for len(files) > 0 && !slices.ContainsFunc(files, func(f file) bool { return len(f.path) < 2 || f.path[0] != files[0].path[0] }) {
		files = slices.Clone(files)
		for i := range files {
			files[i].path = files[i].path[1:]
		}
	}
	return files
}

// one writes a file, or notes why not. The error is that of writing.
func (w *writer) one(f file, within []string) (stored, error) {
	s := stored{from: strings.Join(append(within, strings.Join(f.path, "/")), ": "), refused: f.refused}
	switch {
	case len(w.files) > maxFiles:
		return s, nil
	case len(w.files) == maxFiles:
		s.from, s.refused = "more files", fmt.Sprintf("only %d are kept", maxFiles)
	case s.refused != "":
	case f.size > maxFile:
		s.refused = fmt.Sprintf("it has %s, more than %s", bytesOf(f.size), bytesOf(maxFile))
	case w.size+f.size > maxSubmission:
		s.refused = fmt.Sprintf("with it the submission has more than %s", bytesOf(maxSubmission))
	default:
		name := w.place(f.path)
		sum, err := w.copy(f, name)
		var bad *unreadable
		switch {
		case errors.As(err, &bad):
			s.refused = bad.Error()
		case err != nil:
			return s, err
		default:
			s.path, s.sum = name, sum
		}
	}
	w.files = append(w.files, s)
	return s, nil
}

// unreadable is the error of a file that was handed in, not of one that is written.
type unreadable struct{ reason string }

func (e *unreadable) Error() string { return e.reason }

// copy writes f to name. A file that turns out unreadable or too large is removed.
func (w *writer) copy(f file, name string) (sum string, err error) {
	r, err := f.open()
	if err != nil {
		return "", &unreadable{"it cannot be read: " + zipWords(err)}
	}
	defer r.Close()
	full := path.Join(w.dir, name)
	if err := w.root.MkdirAll(path.Dir(full), 0o777); err != nil {
		return "", err
	}
	limit := min(int64(maxFile), maxSubmission-w.size)
	h := sha256.New()
	in := &source{r: io.TeeReader(io.LimitReader(r, limit+1), h), ctx: w.ctx}
	err = writeFile(w.root, full, in)
	switch {
	case err == nil && in.n > limit:
		err = &unreadable{fmt.Sprintf("it has more than %s, and says it had %s", bytesOf(limit), bytesOf(f.size))}
	case in.err != nil && w.ctx.Err() != nil:
		return "", context.Cause(w.ctx)
	case in.err != nil:
		err = &unreadable{"it cannot be read: " + zipWords(in.err)}
	}
	if err != nil {
		if gone := w.root.Remove(full); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			return "", gone
		}
		return "", err
	}
	w.size += in.n
	return hex.EncodeToString(h.Sum(nil)), nil
}

// zipWords says what is wrong with an entry of a zip.
func zipWords(err error) string {
	switch words := cause(err); {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends in the middle"
	case strings.HasPrefix(words, "zip: checksum"):
		return "its checksum is wrong"
	case strings.HasPrefix(words, "zip: "), strings.HasPrefix(words, "flate: "):
		return "the zip is damaged there"
	default:
		return words
	}
}

// source counts what is read, and keeps the error of reading apart from that of
// writing.
type source struct {
	r   io.Reader
	ctx context.Context
	n   int64
	err error
}

func (s *source) Read(p []byte) (int, error) {
	if s.err = s.ctx.Err(); s.err != nil {
		return 0, s.err
	}
	n, err := s.r.Read(p)
	s.n += int64(n)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// place returns where a file of the student's is kept: its path with names that every
// system allows, and so that no two are one on a system that ignores capitals.
func (w *writer) place(parts []string) string {
	at := ""
	for i, part := range parts {
		last := i == len(parts)-1
		name := fileName(part)
		for n := 2; ; n++ {
			full := path.Join(at, name)
			there, taken := w.taken[fold(full)]
			if !taken {
				if !last {
					w.taken[fold(full)] = full + "/"
				} else {
					w.taken[fold(full)] = full
				}
				at = full
				break
			}
			if !last && strings.HasSuffix(there, "/") {
				at = strings.TrimSuffix(there, "/")
				break
			}
			ext := path.Ext(fileName(part))
			name = fmt.Sprintf("%s~%d%s", strings.TrimSuffix(fileName(part), ext), n, ext)
		}
	}
	return at
}

// writeFile writes a new file.
func writeFile(root *os.Root, name string, r io.Reader) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return cmp.Or(err, f.Close())
}

// sync waits until a folder and all below it are on the disk: after a power cut, what
// has its final name is whole. File systems write what several wait for together.
func sync(root *os.Root, dir string) error {
	var all errgroup.Group
	all.SetLimit(16)
	err := fs.WalkDir(root.FS(), dir, func(name string, _ fs.DirEntry, err error) error {
		if err == nil {
			all.Go(func() error { return syncOne(root, name) })
		}
		return err
	})
	return cmp.Or(all.Wait(), err)
}

func syncOne(root *os.Root, name string) error {
	f, err := root.Open(name)
	if err != nil {
		return err
	}
	return cmp.Or(f.Sync(), f.Close())
}

// examine finds the assignment's notebooks among the files of an attempt, and notes
// what is wrong.
func (c *collector) examine(rec *Record, tmp string, w *writer) {
	rec.Notebooks = map[string]string{}
	candidates := map[string][]stored{} // files that are a notebook of the assignment
	bad := map[string]Fault{}           // path or name of a file to what is wrong with it
	for _, s := range w.files {
		switch {
		case s.refused != "":
			kind := Refused
			if isZip(s.from) {
				kind = BadZip
			}
			if isNotebook(s.from) || isZip(s.from) {
				bad[s.from] = Fault{Kind: kind, Reason: s.refused}
			}
			rec.Notes = append(rec.Notes, fmt.Sprintf("%s is left out: %s", Printable(s.from), s.refused))
		case isNotebook(s.path):
			ids, fault := judge(filepath.Join(c.Course.Dir, filepath.FromSlash(path.Join(tmp, "files", s.path))))
			name := ""
			if fault == nil {
				name, fault = c.which(s.path, ids)
			}
			if fault != nil {
				bad[s.path] = *fault
				continue
			}
			candidates[name] = append(candidates[name], s)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(candidates)) {
		s, fault := choose(name, candidates[name])
		if fault != nil {
			rec.Faults = append(rec.Faults, *fault)
			continue
		}
		rec.Notebooks[name] = s.path
		if path.Base(s.path) != name+".ipynb" {
			rec.Notes = append(rec.Notes, fmt.Sprintf("%s is %s.ipynb by its cells", Printable(s.path), name))
		}
		for _, other := range candidates[name] {
			if other.path != s.path {
				rec.Notes = append(rec.Notes, fmt.Sprintf("%s is another %s.ipynb and does not count", Printable(other.path), name))
			}
		}
	}
	expected := slices.Sorted(maps.Keys(c.expected))
	if len(expected) == 0 && len(candidates) == 0 {
		expected = []string{""}
	}
	for _, name := range expected {
		if candidates[name] == nil {
			rec.Faults = append(rec.Faults, missing(name, bad, w.files, filepath.Join(c.Course.Dir, filepath.FromSlash(tmp), "files")))
		}
	}
}

// which returns the notebook of the assignment that a file is: by the ids of its
// cells where the assignment has some, else by its name.
func (c *collector) which(name string, ids map[string]bool) (string, *Fault) {
	stem := plainStem(name)
	if len(c.expected) == 0 {
		return stem, nil
	}
	best, most, marked := "", 0, false
	for _, notebook := range slices.Sorted(maps.Keys(c.expected)) {
		marked = marked || len(c.expected[notebook]) > 0
		n := shared(ids, c.expected[notebook])
		if n > most || n == most && n > 0 && fold(notebook) == fold(stem) {
			best, most = notebook, n
		}
	}
	for _, assignment := range slices.Sorted(maps.Keys(c.others)) {
		for _, notebook := range slices.Sorted(maps.Keys(c.others[assignment])) {
			if n := shared(ids, c.others[assignment][notebook]); n > most {
				return "", &Fault{Kind: Elsewhere, Reason: fmt.Sprintf("it is %s.ipynb of the assignment %s", notebook, assignment)}
			}
		}
	}
	if best != "" {
		return best, nil
	}
	if marked {
		return "", &Fault{Kind: Elsewhere, Reason: "none of its cells is of this assignment"}
	}
	for notebook := range c.expected {
		if fold(notebook) == fold(stem) {
			return notebook, nil
		}
	}
	return "", &Fault{Kind: Elsewhere, Reason: fmt.Sprintf("no notebook of this assignment is called %s", Printable(stem))}
}

func shared(a, b map[string]bool) (n int) {
	for id := range a {
		if b[id] {
			n++
		}
	}
	return n
}

// plainStem returns the name of a notebook without .ipynb and without what browsers,
// Canvas and JupyterLab add to a second one: "ps1 (1)", "ps1-1", "ps1-Copy1".
func plainStem(name string) string {
	stem := strings.TrimSuffix(path.Base(name), path.Ext(name))
	plain := strings.TrimRight(stem, "0123456789)")
	if plain == stem {
		return stem
	}
	for _, end := range []string{" (", "-Copy", "-"} {
		if before, found := strings.CutSuffix(plain, end); found && before != "" {
			return before
		}
	}
	return stem
}

// choose returns the one of several files that is the notebook: the only one, or the
// only one of its very name; files of the same bytes are one.
func choose(notebook string, files []stored) (stored, *Fault) {
	named := slices.DeleteFunc(slices.Clone(files), func(s stored) bool { return path.Base(s.path) != notebook+".ipynb" })
	for _, some := range [][]stored{named, files} {
		if len(some) > 0 && !slices.ContainsFunc(some, func(s stored) bool { return s.sum != some[0].sum }) {
			return some[0], nil
		}
	}
	var names []string
	for _, s := range files {
		names = append(names, Printable(s.path))
	}
	return stored{}, &Fault{Notebook: notebook, Kind: Several, Reason: fmt.Sprintf("several files could be %s.ipynb: %s", notebook, strings.Join(names, ", "))}
}

// missing is the fault of a notebook that no file is. The reason tells what the
// student handed in instead.
func missing(notebook string, bad map[string]Fault, files []stored, dir string) Fault {
	// The file of the notebook's name, if one of them has it, else all that could be meant.
	names := slices.Sorted(maps.Keys(bad))
	for _, name := range names {
		if fold(plainStem(name)) == fold(notebook) {
			names = []string{name}
			break
		}
	}
	var reasons []string
	kind := Missing
	for _, name := range names {
		if len(reasons) == 0 {
			kind = bad[name].Kind
		}
		reason := bad[name].Reason
		if name != notebook+".ipynb" {
			reason = Printable(name) + ": " + reason
		}
		reasons = append(reasons, reason)
	}
	if len(reasons) == 0 {
		for _, s := range files {
			if s.path != "" && !s.zip && !isNotebook(s.path) && s.path != timestampFile && s.path != receiptFile {
				kind = OtherType
				reasons = append(reasons, fmt.Sprintf("%s is %s", Printable(s.path), kindOf(s.path, filepath.Join(dir, filepath.FromSlash(s.path)))))
			}
		}
	}
	const most = 5
	if more := len(reasons) - most; more > 0 {
		reasons = append(reasons[:most], fmt.Sprintf("and %d more", more))
	}
	if len(reasons) == 0 {
		reasons = []string{"no notebook was handed in"}
	}
	return Fault{Notebook: notebook, Kind: kind, Reason: strings.Join(reasons, "; ")}
}
