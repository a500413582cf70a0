package collect

import (
	"os"
	"path"

	"golang.org/x/sys/unix"
)

// swap exchanges two folders in one step.
func swap(root *os.Root, a, b string) error {
	return inParents(root, a, b, func(da, db int) error {
		return unix.Renameat2(da, path.Base(a), db, path.Base(b), unix.RENAME_EXCHANGE)
	})
}
