//go:build unix && !linux

package display

import (
	"os"
	"syscall"
)

// redirect makes the file descriptor fd one of the file.
func redirect(fd int, file *os.File) error { return syscall.Dup2(int(file.Fd()), fd) }
