package kernel

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/base/setup/setuptest"
	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// noted starts a kernel whose go command notes how it is called.
func noted(t *testing.T, env ...string) (k *jupyter.Kernel, calls func() (builds, gets int), dir string) {
	t.Helper()
	spec := must.Get(Spec(t.Context(), repotest.Root(t), setuptest.Steps(new([]string)))).Or(t)
	dir = t.TempDir()
	log, real := filepath.Join(dir, "log"), filepath.Join(dir, "realgo")
	var path string
	for _, v := range spec.Env {
		if p, ok := strings.CutPrefix(v, "MARGINALIA_GO="); ok {
			path = p
		}
	}
	must.Do(t, os.WriteFile(real, fmt.Appendf(nil, "#!/bin/sh\necho \"$*\" >>%s\nexec %s \"$@\"\n", log, path), 0o755))
	notebook := filepath.Join(dir, "notebook")
	must.Do(t, os.Mkdir(notebook, 0o755))
	spec.Dir, spec.Env = notebook, append(append(spec.Env, "MARGINALIA_GO="+real), env...)
	k = must.Get(jupyter.Start(t.Context(), spec)).Or(t)
	t.Cleanup(k.Shutdown)
	return k, func() (builds, gets int) {
		text, _ := os.ReadFile(log)
		must.Do(t, os.WriteFile(log, nil, 0o644))
		return strings.Count(string(text), "build -o") + strings.Count(string(text), "test -c -o"), strings.Count(string(text), "get\n") + strings.Count(string(text), "get -t\n")
	}, notebook
}

func printed(t *testing.T, k *jupyter.Kernel, code string, next ...string) string {
	t.Helper()
	r := must.Get(k.Execute(t.Context(), code, next...)).Or(t)
	if r.Failed {
		t.Fatalf("%s: %+v", code, r.Outputs)
	}
	return r.Text("stdout")
}

// Cells are built without the go command, until a file changes on which they rest; then it builds
// one, and the next has what has changed. The kernel without the builder asks it each time.
func TestBuilder(t *testing.T) {
	tier.Kernel(t)
	setuptest.OwnCache(t)
	k, calls, dir := noted(t)
	const hello = "import \"fmt\"\n\n%%%%\nfmt.Println(\"hello\", %d)"
	for i := range 3 {
		if got, want := printed(t, k, fmt.Sprintf(hello, i)), fmt.Sprintf("hello %d\n", i); got != want {
			t.Errorf("cell %d prints %q, want %q", i, got, want)
		}
	}
	if builds, gets := calls(); builds > 0 || gets > 0 {
		t.Errorf("the go command has built %d cells and got for %d, want none: what cells usually import is learned when the kernel starts", builds, gets)
	}
	testfile.Write(t, filepath.Join(dir, "go.mod"), "module course\n\ngo 1.26\n")
	for i := range 3 {
		testfile.Write(t, filepath.Join(dir, "beside", "beside.go"), fmt.Sprintf("package beside\n\nfunc Number() int { return %d }\n", i))
		for range 2 {
			if got, want := printed(t, k, "import (\n\t\"fmt\"\n\n\t\"course/beside\"\n)\n\n%%\nfmt.Println(beside.Number())"), fmt.Sprintf("%d\n", i); got != want {
				t.Errorf("the package beside the notebook returns %s, want %s", got, want)
			}
		}
		if builds, _ := calls(); builds != 1 {
			t.Errorf("edit %d: the go command has built %d cells of two, want the first", i, builds)
		}
	}
	// The go command is asked for the first %test cell of this import, and for one that vet refuses.
	const test = "%%test\nfunc TestNumber(t *testing.T) {\n\tif n := beside.Number(); n != 2 {\n\t\tt.Errorf(\"%%d, not %%s\", n, %s)\n\t}\n}"
	for i, c := range []struct {
		word   string
		builds int
	}{{`"two"`, 1}, {`"twice one"`, 0}, {"2", 1}, {`"four less two"`, 0}} {
		r := must.Get(k.Execute(t.Context(), fmt.Sprintf(test, c.word))).Or(t)
		if i == 2 {
			if text := fmt.Sprint(r.Outputs); !r.Failed || !strings.Contains(text, "format %s has arg 2 of wrong type int") {
				t.Errorf("vet has nothing to say: %s", text)
			}
		} else if r.Failed || !strings.Contains(r.Text("stdout"), "✓ TestNumber") {
			t.Errorf("test %d: %+v", i, r.Outputs)
		}
		if builds, gets := calls(); builds != c.builds || i > 0 && gets > 0 {
			t.Errorf("test %d: the go command has built %d cells and got for %d, want %d and none after the first", i, builds, gets, c.builds)
		}
	}
	off, calls, _ := noted(t, "MARGINALIA_BUILDER=off")
	for i := range 2 {
		printed(t, off, fmt.Sprintf(hello, i))
	}
	if builds, gets := calls(); builds != 2 || gets != 2 {
		t.Errorf("with MARGINALIA_BUILDER=off the go command has built %d cells and got for %d, want 2 and 2", builds, gets)
	}
}

// While a cell runs, the next is built: this one waits until it is. The next is known because the
// client says so, or because its request waits.
func TestBuiltAhead(t *testing.T) {
	tier.Kernel(t)
	k, calls, _ := noted(t)
	const waits = `import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

%%
for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
	if found, _ := filepath.Glob(os.Getenv("GONB_TMP_DIR") + "/.building-*/program"); len(found) > 0 {
		fmt.Println("built")
		break
	}
}`
	next := "%%\nfmt.Println(\"next\")"
	if got := printed(t, k, waits, next) + printed(t, k, next); got != "built\nnext\n" {
		t.Errorf("the cells print %q", got)
	}
	var last string
	for _, code := range []string{waits, "%%\nfmt.Println(\"waited\")"} {
		last = must.Get(k.Request(jupyter.Shell, "execute_request", map[string]any{"code": code, "silent": false, "store_history": true})).Or(t)
	}
	got := ""
	for ended := false; !ended; {
		m := <-k.Messages
		var c struct{ Text string }
		if m.Header.Type == "stream" && m.Decode(&c) == nil {
			got += c.Text
		}
		ended = m.Parent.ID == last && jupyter.IsIdle(m)
	}
	if got != "built\nwaited\n" {
		t.Errorf("cells whose requests come at once print %q", got)
	}
	if builds, _ := calls(); builds > 0 {
		t.Errorf("the go command has built %d cells", builds)
	}
	printed(t, k, "%test\nfunc TestFirst(t *testing.T) {}") // by the go command
	calls()
	next = "%test\nfunc TestNext(t *testing.T) {}"
	if got := printed(t, k, waits, next) + printed(t, k, next); got != "built\n✓ TestNext\n" {
		t.Errorf("a cell and a test print %q", got)
	}
	if builds, _ := calls(); builds > 0 {
		t.Errorf("the go command has built %d tests", builds)
	}
}
