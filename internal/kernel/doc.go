// Package kernel builds the pinned GoNB kernel for the repository, with what
// cells need beside it, and says how to start it.
//
// Three folders are made in the user's cache, each once for all clones of the repository:
//
//	tools-<key>   gonb, goimports, and the go command that cells see
//	front-<key>   internal/kernel/front, which Jupyter starts and which starts gonb
//	gopls-<key>   gopls, which the front starts when code is to be completed
//
// What makes cells quick is in the kernel's environment: GOFLAGS=-ldflags=-s,
// and a go command (goshim.sh) that lets the "go get" which GoNB runs before
// every cell use the network only for what is not on the computer.
//
// The package works on Linux and macOS, where GoNB does.
//
// Beside it are execute, which executes a notebook from top to bottom; jupyter, the client that
// starts a kernel and talks to it; front, which stands before GoNB; and complete, which the front
// asks what may stand at the cursor. An edit of front, or of what it imports, rebuilds it at the next
// start of a kernel.
package kernel
