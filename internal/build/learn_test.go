package build_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

// A go.mod that changes while it is learned from, and changes back, leaves nothing: what another
// go.mod says would be kept for all who have this one.
func TestPlaceChangesWhileLearning(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, files{
		"prog/go.mod": module("\nrequire example.org/lib v1.0.0\n\nreplace example.org/lib => ../lib\n"), "prog/main.go": calls("example.org/lib"),
		"lib/go.mod": goMod("example.org/lib"), "lib/lib.go": value("lib", "1"),
		"lib2/go.mod": goMod("example.org/lib"), "lib2/lib.go": value("lib", "2"),
	})
	mod := testfile.Read(t, w.path("prog/go.mod"))
	w.write("bin/saved", mod)
	w.write("bin/other", strings.Replace(mod, "=> ../lib\n", "=> ../lib2\n", 1))
	real := must.Get(exec.LookPath("go")).Or(t)
	w.write("bin/go", "#!/bin/sh\ncp "+w.path("bin/other")+" "+w.path("prog/go.mod")+"\n"+real+" \"$@\"\nstatus=$?\ncp "+w.path("bin/saved")+" "+w.path("prog/go.mod")+"\nexit $status\n")
	must.Do(t, os.Chmod(w.path("bin/go"), 0o755))
	must.Get(w.goBuilds()).Or(t) // what was written a moment ago might be written again unseen
	c := w.command()
	c.Go = w.path("bin/go")
	if err := w.builder.Learn(t.Context(), c); err == nil {
		t.Error("Learn has learned from another go.mod")
	}
	if w.builder.Build(t.Context(), c) {
		w.same(must.Get(w.goBuilds()).Or(t))
	}
}

// Learn asks no proxy, whatever the user has set: a cell waits for it, and would wait for the network.
func TestLearnOffline(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, files{"prog/go.mod": module(""), "prog/main.go": "package main\n\nfunc main() {}\n"})
	w.env = append(w.env, "GOPROXY=https://proxy.example", "GONOPROXY=private.example")
	real := must.Get(exec.LookPath("go")).Or(t)
	w.write("bin/go", "#!/bin/sh\necho \"$GOPROXY $GONOPROXY\" >>"+w.path("bin/log")+"\nexec "+real+" \"$@\"\n")
	must.Do(t, os.Chmod(w.path("bin/go"), 0o755))
	must.Get(w.goBuilds()).Or(t) // what was written a moment ago might be written again unseen
	c := w.command()
	c.Go = w.path("bin/go")
	must.Do(t, w.builder.Learn(t.Context(), c, "example.com/nowhere"))
	calls := strings.Split(strings.TrimSpace(testfile.Read(t, w.path("bin/log"))), "\n")
	if len(calls) < 3 {
		t.Errorf("the go command is called %d times, want go list, go env and go build -n at least", len(calls))
	}
	for _, call := range calls {
		if call != "off none" {
			t.Errorf("called with GOPROXY and GONOPROXY %q, want off none", call)
		}
	}
}

// A package that is asked for and lies in a module of its own, below the program's, is not there: nothing is in doubt.
func TestLearnOfWhatIsElsewhere(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, files{
		"prog/go.mod": module(""), "prog/main.go": "package main\n\nfunc main() {}\n",
		"prog/a/go.mod": goMod("example.org/prog/a"), "prog/a/a.go": value("a", "1"),
	})
	must.Get(w.goBuilds()).Or(t) // what was written a moment ago might be written again unseen
	must.Do(t, w.builder.Learn(t.Context(), w.command(), "example.org/prog/a"))
	if !w.builder.Build(t.Context(), w.command()) {
		t.Fatal("Build says false after Learn")
	}
	w.same(must.Get(w.goBuilds()).Or(t))
}
