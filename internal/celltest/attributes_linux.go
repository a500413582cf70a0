package celltest

import "syscall"

// attributes put the program of a cell into a process group of its own, and
// let it die with us even if we are killed.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
