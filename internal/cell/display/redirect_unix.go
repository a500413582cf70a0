//go:build unix && !linux

package display

import (
	"os"
	"syscall"
)

// redirect makes fd another descriptor of the file.
func redirect(fd int, file *os.File) error { return syscall.Dup2(int(file.Fd()), fd) }
