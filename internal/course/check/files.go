package check

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxFiles bounds what is read of the files beside a notebook that does not say which it came with, in bytes.
const maxFiles = 64 << 20

// files returns the files beside the notebook that the student's code can read: those that came with it, or, if the
// notebook does not say, all that lie there. It warns of what differs from what the grader has.
func (s *Sheet) files(r *Report) ([]string, error) {
	if s.terms == nil {
		return s.beside()
	}
	var all []string
	for _, path := range slices.Sorted(maps.Keys(s.terms.Files)) {
		data, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(path)))
		switch sum := sha256.Sum256(data); {
		case errors.Is(err, fs.ErrNotExist):
			r.warn("", 0, "the file %s is missing, which came with the notebook: put it beside it again", path)
			continue
		case err != nil:
			return nil, &UnreadableError{err}
		case hex.EncodeToString(sum[:]) != s.terms.Files[path]:
			r.warn("", 0, "the file %s was changed: the grader takes it as it was handed out, this check as it is", path)
		}
		all = append(all, path)
	}
	return all, nil
}

func (s *Sheet) beside() (all []string, err error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, err
	}
	left := int64(maxFiles)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || strings.HasPrefix(e.Name(), ".") || strings.HasSuffix(e.Name(), ".ipynb") || info.Size() > left {
			continue
		}
		left -= info.Size()
		all = append(all, e.Name())
	}
	return all, nil
}
