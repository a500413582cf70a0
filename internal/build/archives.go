package build

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// Archives returns how to open the archives of the packages that a program with these files imports,
// from which their types can be read. It returns nil if it is not sure where they are.
func (b *Builder) Archives(c Command, files map[string][]byte) func(path string) (io.ReadCloser, error) {
	j := b.job(c, files, false) // Build looks again
	if j == nil {
		return nil
	}
	archives := map[string]string{}
	for line := range strings.Lines(j.graph.Archives) {
		path, file, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "packagefile "), "=")
		archives[path] = file
	}
	return func(path string) (io.ReadCloser, error) {
		if archives[path] == "" {
			return nil, fmt.Errorf("build: no archive of %s", path)
		}
		return os.Open(archives[path])
	}
}
