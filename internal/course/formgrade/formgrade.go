// Package formgrade starts nbgrader's formgrader on a course, where assistants give marks
// and comments by hand (go run . course formgrade), and gives JupyterLab nbgrader's panel
// (go run . lab --dir COURSE).
//
// JupyterLab and nbgrader are installed in an environment of their own when it is first
// started. Formgrader reads autograded/ and gradebook.db as course grade writes them, and
// writes into the latter.
package formgrade

import (
	"context"
	_ "embed"
	"fmt"
	"os"

	"marginalia/internal/base/setup"
	"marginalia/internal/course"
	"marginalia/internal/install/lab"
	"marginalia/internal/install/venv"
)

var (
	//go:embed marginalia_formgrader.py
	extension string
	//go:embed mathjax.html.j2
	mathjax string
)

// Options say where formgrader is.
type Options struct {
	Port      int // 0: 8888, or the next free one
	NoBrowser bool
}

// Start starts formgrader on a course, on this computer alone, and returns when it has
// ended: see [lab.Start]. root is the repository's folder.
func Start(ctx context.Context, root string, c *course.Course, o Options, p setup.Progress, stderr *os.File) error {
	extra, err := Extra(root, c)
	if err != nil {
		return err
	}
	extra.Page = "/formgrader/manage_assignments"
	return lab.Start(ctx, root, lab.Options{Dir: c.Dir, Host: "127.0.0.1", Port: o.Port, NoBrowser: o.NoBrowser, Extra: extra}, p, stderr)
}

// Extra is what JupyterLab has on a course's folder: nbgrader's panel Create Assignment, and formgrader, whose buttons run
// this program's commands.
func Extra(root string, c *course.Course) (*lab.Extra, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("formgrade: %w", err)
	}
	nbgrader := Nbgrader()
	nbgrader.Files = files()
	nbgrader.Args = []string{
		"--CourseDirectory.root=" + c.Dir,
		"--CourseDirectory.course_id=" + c.ID,
		"--FormgradeExtension.debug=False", // which would print the configuration on a page
	}
	nbgrader.Environ = []string{"MARGINALIA_COMMAND=" + self, "MARGINALIA_ROOT=" + root}
	return nbgrader, nil
}

// Nbgrader is JupyterLab with nbgrader, against which tests hold our course folders.
func Nbgrader() *lab.Extra {
	return &lab.Extra{Name: "nbgrader", Requirements: venv.NbgraderPins, Minor: 11}
}

// files are formgrader's in the environment. Of nbgrader's extensions two stay: formgrader,
// in the form of ours, and what edits an assignment's cells. The others fetch, hand in and
// validate, as students do.
func files() map[string]any {
	off := map[string]bool{}
	for _, name := range []string{"formgrader", "assignment_list", "course_list", "validate_assignment"} {
		off["nbgrader.server_extensions."+name] = false
	}
	off["marginalia_formgrader"] = true
	disabled := map[string]bool{}
	for _, name := range []string{"assignment-list", "course-list", "validate-assignment"} {
		disabled["@jupyter/nbgrader:"+name] = true
	}
	return map[string]any{
		"marginalia/marginalia_formgrader.py":                    extension, // beside launch.py, where Python looks first
		"etc/jupyter/jupyter_server_config.d/zz-marginalia.json": map[string]any{"ServerApp": map[string]any{"jpserver_extensions": off}},
		"etc/jupyter/labconfig/page_config.json":                 map[string]any{"disabledExtensions": disabled},
		"marginalia/mathjax.html.j2":                             mathjax,
	}
}
