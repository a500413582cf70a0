package lab

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// Root returns the absolute path of the repository that holds the working
// directory: the nearest directory upwards whose go.mod says "module marginalia".
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	return rootOf(dir)
}

func rootOf(start string) (string, error) {
	for dir := start; ; dir = filepath.Dir(dir) {
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		switch {
		case err == nil && modfile.ModulePath(mod) == "marginalia":
			return checkRoot(dir)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return "", err
		case dir == filepath.Dir(dir):
			return "", faultf("%s is not inside the marginalia repository: change into the repository and run it there", start)
		}
	}
}

// checkRoot refuses what GoNB's -go_work flag, a comma-separated list, cannot carry.
func checkRoot(dir string) (string, error) {
	if strings.ContainsAny(dir, ",\n\"") {
		return "", faultf("the path of the repository, %q, has a comma or a quote in it, which the kernel cannot take: move the repository", dir)
	}
	return dir, nil
}
