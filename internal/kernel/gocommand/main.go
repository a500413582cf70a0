//go:build unix

// Command gocommand is go and goimports as a kernel sees them, by the name under which it is
// called. What the kernel's builder does is done (see internal/kernel/buildserver); the rest goes
// to the real commands, whose paths are in MARGINALIA_GO and MARGINALIA_GOIMPORTS.
//
// GoNB runs a bare "go get" before it builds a cell, and that asks the network about every import
// from outside the standard library, each time. Here it first tries with what is on this computer
// (get.go).
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"

	"marginalia/internal/kernel/buildserver"
)

func main() {
	status, err := run(filepath.Base(os.Args[0]), os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "marginalia:", err)
		os.Exit(2)
	}
	os.Exit(status)
}

func run(name string, args []string) (status int, err error) {
	real := os.Getenv("MARGINALIA_GO")
	if real == "" {
		return 0, errors.New("MARGINALIA_GO is not set: start the kernel through marginalia (go run . lab)")
	}
	if name == "goimports" {
		real = os.Getenv("MARGINALIA_GOIMPORTS")
	}
	get := name == "go" && (slices.Equal(args, []string{"get"}) || slices.Equal(args, []string{"get", "-t"}))
	builds := name == "go" && len(args) > 0 && (args[0] == "build" || args[0] == "test")
	if !get && !builds && name == "go" {
		return 0, become(real, args)
	}
	dir, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	a, ran := buildserver.Ask(buildserver.Call{Name: name, Args: args, Dir: dir, Env: os.Environ()})
	switch {
	case a.Done:
		return 0, nil
	case get:
		return getOffline(real, args)
	}
	if builds {
		defer edit(dir, args, a)()
	}
	cmd := exec.Command(real, args...)
	if builds { // the compiler and the linker spend a tenth of their time on collecting garbage
		cmd.Env = append([]string{"GOGC=400"}, os.Environ()...)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	ran(err == nil)
	if exit, failed := errors.AsType[*exec.ExitError](err); failed {
		return max(1, exit.ExitCode()), nil
	}
	return 0, err
}

// become runs a command in the place of this one.
func become(path string, args []string) error {
	return &os.PathError{Op: "exec", Path: path, Err: syscall.Exec(path, append([]string{path}, args...), os.Environ())}
}
