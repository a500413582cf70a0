package assignment

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"syscall"
)

// A MachineError says that the machine, and not a submission, is why there is no guest or no verdict: it has no space or no memory
// left, or has ended a program.
type MachineError struct{ What string }

func (e *MachineError) Error() string {
	return e.What + ": the machine is at fault, not the submission. See that there is space in the temporary folder (TMPDIR), in Go's cache (go env GOCACHE) and in the course folder, and memory (fewer --jobs need less), and grade again"
}

// machineWords are what programs print of errors that have nothing to do with what they compile. The linker writes by way of memory, and so is
// told of a full disk by a signal, and half an object file is what the compiler has left on one.
var machineWords = []string{
	"SIGBUS", "guest.a:",
	syscall.ENOSPC.Error(), syscall.EDQUOT.Error(), syscall.EIO.Error(), syscall.EROFS.Error(), syscall.ENOMEM.Error(), syscall.EAGAIN.Error(),
	syscall.EMFILE.Error(), syscall.ENFILE.Error(),
}

// machineFault returns an error if a program failed because of the machine: it did not start, it was ended, or it says so. In a message
// about a cell it quotes the cell.
func machineFault(name string, err error, said string) error {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return &MachineError{fmt.Sprintf("%s: %v", name, err)}
	}
	if Killed(exit) {
		return &MachineError{fmt.Sprintf("%s was ended (%v)", name, exit)}
	}
	for line := range strings.Lines(compilerLine.ReplaceAllString(said, "")) {
		if slices.ContainsFunc(machineWords, func(words string) bool { return strings.Contains(line, words) }) {
			return &MachineError{name + ": " + strings.TrimSpace(line)}
		}
	}
	return nil
}

// Killed reports whether somebody else has ended a process. Signals that a fault of its own ends it with are not meant: Go's programs leave
// with a status instead, and what they run can be a student's.
func Killed(exit *exec.ExitError) bool {
	s, ok := exit.Sys().(syscall.WaitStatus)
	return ok && s.Signaled() && !slices.Contains([]syscall.Signal{syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGILL, syscall.SIGFPE, syscall.SIGABRT, syscall.SIGTRAP, syscall.SIGSYS}, s.Signal())
}
