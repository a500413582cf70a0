//go:build !linux

package celltest

import "syscall"

// attributes put the program of a cell into a process group of its own.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
