// Package shard carries marks from the machines that graded a part of the submissions to the
// gradebook: a file for each submission ([Write]), and their [Merge] into the book.
//
// A file is JSON with the version of its format and a SHA-256 of what it says. So a
// torn file is recognised, whatever copied it.
package shard

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"marginalia/internal/base/atomicfile"
	"marginalia/internal/course"
	"marginalia/internal/course/gradebook"
)

// A Result is what a shard found in one submission.
type Result struct {
	Version string // of the assignment that graded it: see Version
	Scores  gradebook.Scores
}

// format is the version of the files. Another one is refused.
const format = 2

// A file is a result with what shows that it is whole.
type file struct {
	Format int             `json:"marginalia_result"`
	Sum    string          `json:"sha256"` // of the result, as compact JSON
	Result json.RawMessage `json:"result"`
}

// maxFile is more than a result with comments on every cell takes.
const maxFile = 16 << 20

// Write writes DIR/ASSIGNMENT/STUDENT.json, whole or not at all, and returns its path.
func Write(dir string, r Result) (path string, err error) {
	if err := r.validate(); err != nil {
		return "", fmt.Errorf("shard: %w", err)
	}
	data, err := encode(r)
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, r.Scores.Assignment, r.Scores.Student+".json")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	return path, atomicfile.Write(path, data)
}

func encode(r Result) ([]byte, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("shard: %s of %s: %w", r.Scores.Assignment, r.Scores.Student, err)
	}
	return json.MarshalIndent(file{format, sum(body), body}, "", " ")
}

func sum(body []byte) string {
	s := sha256.Sum256(body)
	return hex.EncodeToString(s[:])
}

// validate refuses names that could not be those of folders of the course: formgrader makes
// paths of them.
func (r Result) validate() error {
	if err := course.CheckAssignment(r.Scores.Assignment); err != nil {
		return err
	}
	return course.CheckStudent(r.Scores.Student)
}

// Read reads a file of Write. The error names it, and says what is wrong with it.
func Read(path string) (r Result, err error) {
	f, err := os.Open(path)
	if err != nil {
		return r, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil {
		r, err = decode(data)
	}
	if err != nil {
		return r, fmt.Errorf("shard: %s: %w", path, err)
	}
	return r, nil
}

func decode(data []byte) (r Result, err error) {
	var f file
	if len(data) > maxFile {
		return r, fmt.Errorf("more than %d MB", maxFile>>20)
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return r, fmt.Errorf("torn, or not a result: %w", err)
	}
	if f.Format != format {
		return r, fmt.Errorf("format %d, this program reads %d", f.Format, format)
	}
	var body bytes.Buffer
	if err := json.Compact(&body, f.Result); err != nil || sum(body.Bytes()) != f.Sum {
		return r, fmt.Errorf("its checksum does not match its content: it is torn, or was edited")
	}
	strict := json.NewDecoder(&body)
	strict.DisallowUnknownFields()
	if err := strict.Decode(&r); err != nil {
		return r, err
	}
	return r, r.validate()
}

// Files returns the result files that the paths name: files, and all .json below folders.
func Files(paths ...string) (files []string, err error) {
	for _, path := range paths {
		err := filepath.WalkDir(path, func(at string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (at == path || strings.HasSuffix(at, ".json")) {
				files = append(files, at)
			}
			return err
		})
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("shard: there is no %s: name the folder of results that course grade --shard leaves, or files of it", path)
		}
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// Version is a SHA-256 of the source of an assignment: of its notebooks and data files, by
// name and content. Results of another version are not merged.
func Version(c *course.Course, assignment string) (string, error) {
	if _, err := c.Notebooks(assignment); err != nil {
		return "", err
	}
	dir, err := c.Path(course.Source, "", assignment)
	if err != nil {
		return "", err
	}
	all := sha256.New()
	err = filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(d.Name(), "."): // Jupyter's checkpoints and the like
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(at)
		name, _ := filepath.Rel(dir, at)
		fmt.Fprintf(all, "%q %s\n", filepath.ToSlash(name), sum(data))
		return err
	})
	return hex.EncodeToString(all.Sum(nil)), err
}
