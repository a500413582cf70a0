//go:build unix

package main

import (
	"context"
	"net"
	"os"

	"marginalia/internal/build"
	"marginalia/internal/kernel/buildserver"
	"marginalia/internal/kernel/jupyter"
)

// newBuilds returns the builder for the cells of all kernels of this user, nil if it is turned off.
func newBuilds(life context.Context) *buildserver.Server {
	real := os.Getenv("MARGINALIA_GO")
	if real == "" || build.Off() {
		return nil
	}
	s := buildserver.New(life, build.Users(), real)
	s.Vets = !rawIn(os.Environ())
	return s
}

// serveBuilds answers the go command of a new GoNB until GoNB ends. Without the socket, the go command
// builds the cells itself.
func (f *front) serveBuilds(gonb *jupyter.Link, dir string, env []string) {
	if f.builds == nil {
		return
	}
	l, err := net.Listen("unix", buildserver.Path(gonb.Folder()))
	if err != nil {
		return
	}
	life, end := context.WithCancel(f.life)
	go func() {
		select {
		case <-gonb.Ended():
		case <-life.Done():
		}
		end()
		l.Close()
	}()
	learn := f.builds.Prepare(dir, env) // the first cell waits for it
	go f.builds.Serve(life, l, dir)
	go learn(life)
}
