//go:build unix && !linux

package processes

import "syscall"

// AdoptOrphans does nothing here: orphans go to the system's first process.
func AdoptOrphans() {}

// Attributes puts a program into a process group of its own.
func Attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func all() map[int]process { return listed() }

// tree returns the process root and those below it, and others.
func tree(int) map[int]process { return listed() }
