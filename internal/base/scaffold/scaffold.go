// Package scaffold creates folders atomically: a course of one's own,
// and for package course the folder of its assignments.
package scaffold

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// all: keeps nothing out; the names of dot files begin with "dot" nevertheless, and Go
// files end in .txt, so that neither git nor go takes them for its own.
//
//go:embed all:new
var course embed.FS

// Course makes the folder of a course: a notebook with its outputs, the package that it
// imports, data that it reads, and what git and continuous integration need.
func Course(dir string) error {
	files, err := fs.Sub(course, "new")
	if err != nil {
		return err
	}
	return Make(dir, files, func(text string) string { return text }, nil)
}

// Make makes dir of the files, each edited. A name that begins with "dot." loses the
// "dot", and one that ends in ".txt" that. folders are made as well, and stay empty. The
// folder must be new or empty; it is made whole or not at all.
func Make(dir string, files fs.FS, edit func(text string) string, folders []string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty: want a new folder", dir)
	} else if err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), ".course-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	err = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		parts := strings.Split(strings.TrimSuffix(name, ".txt"), "/")
		for i, part := range parts {
			if rest, dotted := strings.CutPrefix(part, "dot."); dotted {
				parts[i] = "." + rest
			}
		}
		to := filepath.Join(tmp, filepath.Join(parts...))
		if d.IsDir() {
			return os.MkdirAll(to, 0o777)
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, []byte(edit(string(text))), 0o666)
	})
	for _, folder := range folders {
		if err == nil {
			err = os.Mkdir(filepath.Join(tmp, folder), 0o777)
		}
	}
	if err == nil {
		err = os.Chmod(tmp, 0o755) // MkdirTemp's is for the owner alone
	}
	if err != nil {
		return err
	}
	os.Remove(dir) // an empty one: Rename takes the place of none
	return os.Rename(tmp, dir)
}
