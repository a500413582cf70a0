package built

import (
	"errors"
	"fmt"
	gobuild "go/build"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// localFiles returns the files that the packages of the module at dir are built from, and
// their folders. The go command is not asked: a module that nobody has tidied is no
// error before a cell imports from it.
func localFiles(dir string) (files, folders []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() {
			return nil
		}
		if name := d.Name(); path != dir {
			if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "vendor" {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
				return fs.SkipDir // a module of its own
			}
		}
		p, err := gobuild.ImportDir(path, 0)
		if errors.As(err, new(*gobuild.NoGoError)) {
			return nil
		}
		// All files count, even if they do not parse or belong to two packages.
		folders = append(folders, path)
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.InvalidGoFiles, p.CFiles, p.CXXFiles, p.HFiles, p.SFiles, p.SysoFiles) {
			files = append(files, filepath.Join(path, name))
		}
		for _, pattern := range p.EmbedPatterns {
			matches, err := filepath.Glob(filepath.Join(path, strings.TrimPrefix(pattern, "all:")))
			if err != nil {
				continue // the compiler says so
			}
			for _, match := range matches {
				err := filepath.WalkDir(match, func(path string, d fs.DirEntry, err error) error {
					if err == nil && d.Type().IsRegular() {
						files = append(files, path)
					}
					return err
				})
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("built: %w", err)
	}
	return files, folders, nil
}
