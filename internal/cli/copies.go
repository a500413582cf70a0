package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"marginalia/internal/install/lab"
)

// noteCopies says of each lecture or exercise that was named where JupyterLab has put what was changed in it:
// a command that reads the lecture as it was given finds nothing of that.
func noteCopies(w io.Writer, root string, files []string) {
	for _, file := range files {
		if c := copyOf(root, file); c != "" {
			fmt.Fprintf(w, "note %s: what you changed in JupyterLab is not here but in %s\n", filepath.Base(file), c)
		}
	}
}

// copyOf returns the copy of a lecture or an exercise of the repository that JupyterLab saved, by a path as the one
// given, "" if there is none.
func copyOf(root, file string) string {
	abs, err := filepath.Abs(file)
	if err != nil {
		return ""
	}
	notebooks := filepath.Join(root, "notebooks")
	for kind, up := range map[string]string{"lectures": ".", "exercises": ".."} {
		if filepath.Join(filepath.Dir(abs), up) != notebooks || up == ".." && filepath.Base(filepath.Dir(abs)) != kind {
			continue
		}
		if own := filepath.Join(filepath.Dir(file), up, lab.OwnFolder, kind, filepath.Base(abs)); exists(own) {
			return own
		}
	}
	return ""
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
