package lab

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// lock takes the advisory lock of path, which it makes if need be, and waits
// for it while another process has it. The lock is held until the file is
// closed, by this process or by its end, and by those that inherited it:
// programs that write to what is locked get the file along, so that one that
// outlives a kill -9 of this process is waited for.
func lock(ctx context.Context, path string, p Progress) (held *os.File, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fileCause(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fileCause(err)
	}
	var waited func(error)
	for {
		err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			break
		}
		if errors.Is(err, syscall.EWOULDBLOCK) && waited == nil {
			waited = p.begin("waiting for another marginalia that is setting up")
		}
		if errors.Is(err, syscall.EWOULDBLOCK) {
			select {
			case <-time.After(100 * time.Millisecond):
				continue
			case <-ctx.Done():
				err = ctx.Err()
			}
		}
		f.Close()
		if waited != nil {
			waited(err)
		}
		return nil, err
	}
	if waited != nil {
		waited(nil)
	}
	return f, nil
}

func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if err != syscall.EINTR {
			return err
		}
	}
}
