// Package build builds programs as the go command does, from what the go command has said before.
//
// Most of what "go build" does for a small program is to find out that nothing else has changed. A
// [Builder] has learned that once, from "go list" and "go build -n" or "go test -n": which packages
// the imports stand for, where the build cache has their archives, and how the compiler and the linker
// are called. It builds a program with these two alone, as long as everything that the go command
// would look at is as it was. Of a program of tests, "go test -c", it writes the main function
// (testmain), and has vet read the tests.
//
//	var b build.Builder
//	c := build.Command{Go: "go", Args: []string{"build", "-o", "cell"}, Dir: dir, Env: os.Environ()}
//	if !b.Build(ctx, c) {
//		… run the go command …
//		b.Learn(ctx, c)
//	}
//
// Where it is not sure, Build does nothing: so a program is never made of old packages, and the go
// command says what is wrong with one that does not compile. It is not sure about
//
//   - a program with cgo, embedded files, assembly or a profile, files whose name or whose //go: lines
//     say how or whether they are built (program.go); tests in other files than main_test.go, or with a
//     TestMain, and those that vet complains about (testmain, vet.go);
//   - a program in a repository that the go command stamps, one without a module, and one whose
//     module or workspace has a vendor folder (program.go, place.go);
//   - flags that it does not know, and imports that it has not learned (command.go, graph.go);
//   - anything that has changed since it learned: go.mod, go.sum, go.work and go.work.sum, the
//     environment as far as it concerns Go (place.go), the go.mod of other modules in folders, the files
//     of packages outside the module cache and GOROOT, Go's tools and VERSION, go env's file (stamp.go);
//   - an archive that has left the build cache.
//
// Like the go command it takes the module cache to be what go.sum says. It also takes the sources
// in GOROOT to be those of their release. What it has learned lasts a day, for the go command removes
// archives that it has not used for five.
//
// Learn's way is list, stamp, plan: learn.go, stamp.go, plan.go. A program that will be asked for
// can be built ahead (ahead.go), and what is learned is kept for other processes (store.go).
package build
