package assignment

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marginalia/internal/testkit/must"
)

// A tool that is ended by somebody, does not start, or finds no space is the machine's fault, and what it says of a cell the submission's, though
// that quotes the same words.
func TestMachineFault(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		want   string // "" for a message about the submission
	}{
		"refuses":      {"echo 'answer.cell:3:5: undefined: x'; exit 1", ""},
		"quotes":       {"echo 'answer.cell:3:5: \"no space left on device\" (untyped string constant) is not used'; exit 1", ""},
		"breaks":       {"kill -SEGV $$", ""},
		"no space":     {"echo 'link: cannot create guest.wasm: no space left on device'; exit 2", "tool: link: cannot create guest.wasm: no space left on device"},
		"no processes": {"echo 'go: fork/exec compile: resource temporarily unavailable'; exit 1", "tool: go: fork/exec compile: resource temporarily unavailable"},
		"is killed":    {"kill -KILL $$", "tool was ended (signal: killed)"},
		"is ended":     {"kill -TERM $$", "tool was ended (signal: terminated)"},
		"is not there": {"", "tool: fork/exec"},
	} {
		file := filepath.Join(t.TempDir(), "tool")
		if c.script != "" {
			must.Do(t, os.WriteFile(file, []byte("#!/bin/sh\n"+c.script+"\n"), 0o755))
		}
		_, err := output(t.Context(), exec.Command(file))
		fault, ok := errors.AsType[*MachineError](err)
		switch {
		case ok && (c.want == "" || !strings.HasPrefix(fault.What, c.want)):
			t.Errorf("%s: %v, want %q", name, err, c.want)
		case !ok && c.want != "":
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// The process of a compiler that somebody ends is no reason to refuse a submission.
func TestCompilerIsKilled(t *testing.T) {
	nb := sheet([3]string{"own", "", "func One() int { return 1 }"})
	c := readSheet(t, nb).Compiler()
	defer c.Close()
	must.Get(c.Compile(t.Context(), nb, nil, nil, "")).Or(t)
	must.Do(t, c.cmd.Process.Kill())
	_, err := c.Compile(t.Context(), nb, nil, nil, "")
	if _, ok := errors.AsType[*MachineError](err); !ok {
		t.Errorf("%v, want an error of the machine", err)
	}
	if _, err := c.Compile(t.Context(), nb, nil, nil, ""); err != nil {
		t.Errorf("the next one: %v", err)
	}
}

// Packages that a submission may import are compiled outside of its time, in which not even the go command could start.
func TestPreparedOutside(t *testing.T) {
	nb := sheet([3]string{"own", "", "func One() int { return 1 }"})
	with := sheet([3]string{"own", "", "func One() int { return 1 }"}, [3]string{"more", "", "import (\"math/big\"; \"net/http\")\n\nfunc Two() *big.Int { return big.NewInt(2) }\n\nvar Client http.Client"})
	a := readSheet(t, nb)
	asked := map[string]bool{}
	a.MayImport = func(path string) bool { asked[path] = true; return path == "math/big" }
	var told []compileReply
	ctx := context.Background()
	for range 2 {
		must.Do(t, a.prepare(ctx, with, func(r compileReply) bool { told = append(told, r); return true }))
	}
	if len(told) != 2 || !told[0].Prepares || !told[1].Prepared || !asked["net/http"] {
		t.Errorf("told %+v, asked %v", told, asked)
	}
	if a.toolchain.packages["math/big"] == "" || a.toolchain.packages["net/http"] != "" {
		t.Errorf("math/big: %q, net/http: %q, which is not allowed", a.toolchain.packages["math/big"], a.toolchain.packages["net/http"])
	}

	c := a.Compiler()
	defer c.Close()
	c.before, c.since = time.Second, time.Now()
	must.Do(t, c.start())
	before := c.before
	c.pause(true)
	c.taken -= 20 * time.Second // as if the packages had taken so long
	c.at = c.at.Add(-time.Hour)
	since := c.since
	c.pause(false)
	if c.before < before+20*time.Second || c.since.Sub(since) < time.Hour {
		t.Errorf("the submission's time goes on while packages are prepared: %v, %v", c.before-before, c.since.Sub(since))
	}
}
