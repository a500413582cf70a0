//go:build unix

// Package jupyter is a Jupyter client: it starts a kernel, executes code in it and collects
// what the code shows. It speaks the messaging protocol 5.3 over ZeroMQ itself; neither Python
// nor a Jupyter server takes part. Its [Link] and [Message] also serve internal/kernel/front, which
// stands between other clients and a kernel.
//
//	func main() {
//		jupyter.KeeperMain() // first thing: see below
//		…
//		k, err := jupyter.Start(ctx, jupyter.Spec{
//			Argv: []string{"gonb", "--kernel", "{connection_file}", "-raw_error"},
//			Dir:  "notebooks",
//		})
//		if err != nil {
//			return err
//		}
//		defer k.Shutdown()
//		r, err := k.Execute(ctx, "%%\nfmt.Println(6*7)")
//		fmt.Println(r.Outputs[0].Text) // 42
//	}
//
// # Nothing is left behind
//
// A kernel has children (the Go command, the program of a cell) and temporary
// files, and a client that is killed cannot clean up after them. So the client
// does not start the kernel itself: it starts its own executable again, as a
// keeper, which starts the kernel and holds a pipe from the client. When the
// pipe closes, because the client asks for it or is gone however it went, the
// keeper kills the kernel and all its descendants and removes their
// temporary directory. That is what KeeperMain is for: main, or TestMain, calls
// it before anything else, and in the keeper it does not return.
//
// The package works on Linux and macOS, where GoNB does. On Linux no descendant
// escapes, on other systems one may that leaves both its parent and its process
// group.
//
// Source: Messaging in Jupyter, jupyter_client documentation, 2023, sections
// "The Wire Protocol", "Messages on the shell channel", "Messages on the IOPub
// channel".
package jupyter

import (
	"context"
	"sync"
)

// A Kernel is a running kernel. Its methods may be called from several
// goroutines; Execute runs one request at a time.
type Kernel struct {
	*Link
	executing sync.Mutex
	results   map[string]*Result // by the id of their request
	displays  map[string][]place // by display id
}

// Start starts a kernel as Open does.
func Start(ctx context.Context, spec Spec) (*Kernel, error) {
	l, err := Open(ctx, spec)
	if err != nil {
		return nil, err
	}
	return &Kernel{Link: l, results: map[string]*Result{}, displays: map[string][]place{}}, nil
}
