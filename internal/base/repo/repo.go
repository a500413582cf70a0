// Package repo finds the repository that a command serves.
package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// RootEnv is the environment variable that names the repository to a command that
// does not find it.
const RootEnv = "MARGINALIA_ROOT"

// Root returns the absolute path of the repository that serves the files, usually
// notebooks: the one that holds the working directory, else the one that holds a
// file. For folders outside it is the one that $MARGINALIA_ROOT names, else the
// checkout that this program was built in, unless it was built with -trimpath.
func Root(files ...string) (string, error) {
	dirs := []string{"."}
	for _, file := range files {
		dirs = append(dirs, filepath.Dir(file))
	}
	if named := os.Getenv(RootEnv); named != "" {
		dirs = append(dirs, named)
	} else if _, source, _, ok := runtime.Caller(0); ok && filepath.IsAbs(source) {
		dirs = append(dirs, filepath.Dir(source))
	}
	for i, dir := range dirs {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return "", fmt.Errorf("repo: %w", err)
		}
		if root, err := find(abs); root != "" || err != nil {
			return root, err
		}
		dirs[i] = abs
	}
	return "", fmt.Errorf("repo: the marginalia repository holds none of these folders: %s (the working directory, those of the notebooks, and $%s or where this command was built): change into the repository, or name it in %[2]s",
		strings.Join(slices.Compact(dirs), ", "), RootEnv)
}

// find returns the repository that holds a folder, given by its absolute path: the
// nearest folder upwards whose go.mod says "module marginalia", or "".
func find(at string) (string, error) {
	for ; ; at = filepath.Dir(at) {
		mod, err := os.ReadFile(filepath.Join(at, "go.mod"))
		switch {
		case err == nil && modfile.ModulePath(mod) == "marginalia":
			if _, err := os.Stat(filepath.Join(at, "internal", "base", "repo")); errors.Is(err, fs.ErrNotExist) {
				return "", fmt.Errorf("repo: %s names its module marginalia, and %s is not a clone of the repository: go mod edit -module example.org/course %[1]s", filepath.Join(at, "go.mod"), at)
			}
			// GoNB's flag -go_work is a list with commas.
			if strings.ContainsAny(at, ",\n\"") {
				return "", fmt.Errorf("repo: the path %q has a comma, a quote or a line break, which the kernel cannot take: move the repository", at)
			}
			return at, nil
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return "", fmt.Errorf("repo: %w", err)
		case at == filepath.Dir(at):
			return "", nil
		}
	}
}
