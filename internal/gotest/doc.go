// Package gotest runs a notebook as Go tests.
//
//	effects   what the program of a cell can do besides computing
//	export    writes the Go test package of a notebook
//	layout    that package on disk: its cells and its programs
//	built     exported notebooks, compiled, in the user's cache
//	celltest  starts a process for each cell and compares outputs with the stored ones
//	figures   the figures of notebooks as files, and their sums
//
// An edit of export, or of what it imports, rebuilds every notebook of "go test ./notebooks/...". The
// other packages run outside of the cells, and an edit of them rebuilds none. What cells show is kept
// (celltest.Store): a cell runs again after an edit of its program, or of what runs it.
package gotest
