package gradebook

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/ncruces/go-sqlite3"
)

// A transaction tries for a lock that others have every 100 ms: it says that it waits after a
// second, and gives up after ten minutes. A backup of the file may take some; what marks are
// behind it is not worth beginning again.
const (
	impatience = 10
	patience   = 6000
)

type waitingKey struct{}

// WithWaiting has transactions call waiting with the file of the book, once each, when
// another program has it locked for longer than a transaction takes.
func WithWaiting(ctx context.Context, waiting func(path string)) context.Context {
	return context.WithValue(ctx, waitingKey{}, waiting)
}

// patiently does what needs a lock of the file, and waits while others have it.
func (b *Book) patiently(ctx context.Context, do func() error) error {
	for try := 1; ; try++ {
		err := do()
		switch {
		case err == nil || ctx.Err() != nil || !errors.Is(err, sqlite3.BUSY):
			return err
		case try == impatience:
			if waiting, ok := ctx.Value(waitingKey{}).(func(string)); ok {
				waiting(b.path)
			}
		case try == patience:
			return fmt.Errorf("another program has had it locked for ten minutes: close what writes to it, then repeat the command")
		}
	}
}

// full reports whether an error of SQLite comes from a full disk. The library reports a write
// without room as an I/O error, without its cause, so full tries another write.
func (b *Book) full(err error) bool {
	if errors.Is(err, sqlite3.FULL) {
		return true
	}
	if !errors.Is(err, sqlite3.IOERR) {
		return false
	}
	f, err := os.CreateTemp(filepath.Dir(b.path), ".room-")
	if err == nil {
		defer os.Remove(f.Name())
		defer f.Close()
		_, err = f.Write(make([]byte, 1<<20))
	}
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
