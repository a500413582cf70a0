package course

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A Misnamed is a folder in the place of a student's whose name can be no id: nothing that
// lies in it is anybody's.
type Misnamed struct {
	Name string
	Why  error
}

// Misnamed returns the folders of a step that have the assignment name in them and no
// student's id for a name, in the order of their names. Students leaves them out.
func (c *Course) Misnamed(step Step, name string) (all []Misnamed, err error) {
	if err := CheckAssignment(name); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(filepath.Join(c.Dir, string(step)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("course: %w", err)
	}
	for _, e := range entries {
		why := CheckStudent(e.Name())
		if why == nil {
			continue
		}
		if info, err := os.Stat(filepath.Join(c.Dir, string(step), e.Name(), name)); err == nil && info.IsDir() {
			all = append(all, Misnamed{e.Name(), why})
		}
	}
	return all, nil
}
