// Package repo finds the repository that a command serves.
package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// A NoneError says that a folder is not inside the repository.
type NoneError struct{ Dir string }

func (e *NoneError) Error() string {
	return fmt.Sprintf("repo: %s is not inside the marginalia repository: change into the repository and run it there", e.Dir)
}

// Root returns the absolute path of the repository that holds the working
// directory. The error is a *[NoneError] if there is none.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("repo: %w", err)
	}
	return Find(dir)
}

// Find is [Root] for another folder, given by its absolute path: it returns the
// nearest one upwards whose go.mod says "module marginalia".
func Find(dir string) (string, error) {
	for at := dir; ; at = filepath.Dir(at) {
		mod, err := os.ReadFile(filepath.Join(at, "go.mod"))
		switch {
		case err == nil && modfile.ModulePath(mod) == "marginalia":
			// GoNB's flag -go_work is a list with commas.
			if strings.ContainsAny(at, ",\n\"") {
				return "", fmt.Errorf("repo: the path %q has a comma, a quote or a line break, which the kernel cannot take: move the repository", at)
			}
			return at, nil
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return "", fmt.Errorf("repo: %w", err)
		case at == filepath.Dir(at):
			return "", &NoneError{dir}
		}
	}
}
