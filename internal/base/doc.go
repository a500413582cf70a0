// Package base has what all rooms need and what knows nothing about notebooks.
//
//	atomicfile  replaces files whole or not at all
//	scaffold    makes folders whole or not at all, and the course that "go run . new" makes
//	lockfile    locks between processes
//	processes   starts programs that have children, and ends them together
//	buildcache  keeps what is built from sources in the user's cache
//	setup       what the set-ups of the kernel and of Python share
//	repo        finds the repository from any folder
//	mnistfiles  finds the files of MNIST
//	shell       quotes the words of commands that messages advise
//
// The kernel's front contains atomicfile and processes: an edit of them rebuilds it. Where a
// well-kept library does the work, it is used instead.
package base
