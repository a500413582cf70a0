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
	if real == "" || buildserver.Off(os.Getenv("MARGINALIA_BUILDER")) {
		return nil
	}
	return buildserver.New(life, build.Users(), real)
}

// serveBuilds builds what a new GoNB calls the go command for, until it ends. Where that is not
// possible, the go command does.
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
	go f.builds.Serve(life, l, dir)
	go f.builds.Prepare(life, dir, env)
}
