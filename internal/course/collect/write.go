package collect

import (
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

	"golang.org/x/sync/errgroup"
)

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
