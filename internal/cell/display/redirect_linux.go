package display

import (
	"os"
	"syscall"
)

// redirect makes fd another descriptor of the file.
func redirect(fd int, file *os.File) error { return syscall.Dup3(int(file.Fd()), fd, 0) }
