package course

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

//go:embed new
var template embed.FS

// New makes a course folder with the assignment ps0 as an example. The folder must be
// new or empty; it is there whole or not at all.
func New(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("course: %w", err)
	}
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return fmt.Errorf("course: %s is not empty: want a new folder", dir)
	} else if err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("course: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return fmt.Errorf("course: %w", err)
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), ".course-")
	if err != nil {
		return fmt.Errorf("course: %w", err)
	}
	defer os.RemoveAll(tmp)
	id, err := json.Marshal(filepath.Base(dir)) // what JSON escapes, TOML and Python read alike
	if err != nil {
		return fmt.Errorf("course: %w", err)
	}
	err = fs.WalkDir(template, "new", func(name string, d fs.DirEntry, err error) error {
		to := filepath.Join(tmp, filepath.FromSlash(strings.TrimPrefix(name, "new")))
		if err != nil || d.IsDir() {
			return os.MkdirAll(to, 0o777)
		}
		text, err := template.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, []byte(strings.ReplaceAll(string(text), `"COURSE"`, string(id))), 0o666)
	})
	for _, step := range []Step{Release, Submitted, Autograded, Feedback} {
		if err == nil {
			err = os.Mkdir(filepath.Join(tmp, string(step)), 0o777)
		}
	}
	if err == nil {
		err = os.Chmod(tmp, 0o755) // MkdirTemp's is for the owner alone
	}
	if err == nil {
		os.Remove(dir) // an empty one: Rename takes the place of none
		err = os.Rename(tmp, dir)
	}
	if err != nil {
		return fmt.Errorf("course: %w", err)
	}
	return nil
}
