// Package build builds programs as the go command does, from what the go command has said before.
//
// Most of what "go build" does for a small program is to find out that nothing else has changed. A
// [Builder] has learned that once, from "go list" and "go build -n": which packages the imports
// stand for, where the build cache has their archives, and how the compiler and the linker are
// called. It builds a program with these two alone, as long as everything that the go command
// would look at is as it was.
//
//	var b build.Builder
//	c := build.Command{Go: "go", Args: []string{"build", "-o", "cell"}, Dir: dir, Env: os.Environ()}
//	if !b.Build(ctx, c) {
//		… run the go command …
//		b.Learn(ctx, c)
//	}
//
// Build does nothing where it is not sure, so a program is never made of old packages, and the go
// command says what is wrong with one that does not compile. It is not sure, for one program or
// for good, about
//
//   - a program with cgo, embedded files, assembly, a profile, or files and //go: lines that depend
//     on the system or change how it is built; tests; a program in a version control system, which
//     the go command stamps (program.go);
//   - flags it does not know, and an import it has not learned;
//   - anything of this that has changed since it learned: go.mod, go.sum, go.work and the go.mod of
//     modules in folders; the files of packages outside the module cache and GOROOT; the tools, Go's
//     VERSION, go/env; the environment as far as it concerns Go (stamp.go);
//   - an archive that has left the build cache.
//
// Like the go command it takes the module cache to be what go.sum says. It also takes the sources
// in GOROOT to be those of their release.
package build
