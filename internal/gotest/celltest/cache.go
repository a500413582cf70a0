package celltest

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
)

// makeCache makes the folder of GoNB's cache for programs in a folder, below their folder for temporary
// files. A program makes it when it starts (gonb v0.11.5, cache.NewInTmp), and another that starts at the
// same time may find the file in it that says which folder it is for, still empty, and end with an error.
// Cells run at the same time, so the folder is there before the first of them.
func makeCache(tmp, dir string) error {
	h := fnv.New64a()
	fmt.Fprint(h, dir) // a hash returns no error
	cache := filepath.Join(tmp, fmt.Sprintf("gonb_cache_%X", h.Sum64()))
	if err := os.Mkdir(cache, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	file := filepath.Join(cache, "current_directory.txt")
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	part, err := os.CreateTemp(cache, ".part-")
	if err != nil {
		return err
	}
	_, err = part.WriteString(dir)
	return errors.Join(err, part.Close(), os.Rename(part.Name(), file))
}
