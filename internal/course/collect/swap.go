//go:build linux || darwin

package collect

import (
	"os"
	"path"
)

// inParents calls f with descriptors of the folders that a and b lie in.
func inParents(root *os.Root, a, b string, f func(da, db int) error) error {
	da, err := root.Open(path.Dir(a))
	if err != nil {
		return err
	}
	defer da.Close()
	db, err := root.Open(path.Dir(b))
	if err != nil {
		return err
	}
	defer db.Close()
	return f(int(da.Fd()), int(db.Fd()))
}
