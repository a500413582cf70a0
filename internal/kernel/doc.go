// Package kernel builds the pinned GoNB kernel for the repository, with what
// cells need beside it, and says how to start it.
//
// Three folders are made in the user's cache, each once for all clones of the repository:
//
//	tools-<key>   gonb and goimports
//	front-<key>   internal/kernel/front, which Jupyter starts and which starts gonb; the commands go
//	              and goimports that gonb sees
//	gopls-<key>   gopls, which the front starts when code is to be completed
//
// What makes cells quick is in the kernel's environment: GOFLAGS=-ldflags=-s, and a go command
// (gocommand) that asks the front first. There a cell is built with the compiler and the linker alone,
// from what the go command has said before (internal/build, buildserver), and often ahead, while
// another cell runs (front/ahead.go). MARGINALIA_BUILDER=off leaves all to the go command.
//
// The package works on Linux and macOS, where GoNB does.
//
// Beside it are execute, which executes a notebook from top to bottom; jupyter, the client that
// starts a kernel and talks to it; front, which stands before GoNB; and complete, which the front
// asks what may stand at the cursor. An edit of front, or of what it imports, rebuilds it at the next
// start of a kernel.
package kernel
