package mistake_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/kernel/jupyter/jupytertest"
	"marginalia/internal/notebook/program"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

var update = flag.Bool("update", false, "write what the kernel says, and what becomes of it, into testdata")

func TestMain(m *testing.M) {
	jupyter.KeeperMain()
	os.Exit(m.Run())
}

// said is what GoNB says of a cell that failed.
type said struct {
	EName, EValue string
	Traceback     []string
	Stderr        string
}

// The kernel says what testdata has recorded. -update records all files anew; otherwise every
// tenth is compared. The cells of all files run in one kernel, which forgets the declarations
// of a file before the next. Cells are numbered from the first of their file.
func TestKernelSays(t *testing.T) {
	spec := jupytertest.Spec(t)
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	k := must.Get(jupyter.Start(context.Background(), spec)).Or(t)
	defer k.Shutdown()
	count := 0
	execute := func(t *testing.T, source string) *jupyter.Result {
		r := must.Get(k.Execute(context.Background(), source)).Or(t)
		count = r.ExecutionCount
		return r
	}
	for i, file := range files {
		if !*update && i%10 != 0 {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			a := must.Get(txtar.ParseFile(file)).Or(t)
			var r *jupyter.Result
			var stored []byte
			cells, before, session := a.Files[:0:0], count, program.NewSession(".")
			keys := []string{"%rm"}
			for _, f := range a.Files {
				switch {
				case strings.HasPrefix(f.Name, "cell "):
					source := strings.TrimSuffix(string(f.Data), "\n")
					r = execute(t, source)
					cells = append(cells, f)
					if own := session.Step(f.Name, source).Own; own != nil {
						keys = slices.AppendSeq(append(keys, own.Names()...), maps.Keys(own.Imports))
					}
				case f.Name == "above" || f.Name == "below" || f.Name == "elsewhere":
					cells = append(cells, f) // is not run
				case f.Name == "kernel.json":
					stored = f.Data
				}
			}
			if len(keys) > 1 {
				execute(t, strings.Join(keys, " "))
			}
			if !r.Failed {
				t.Fatal("the last cell does not fail")
			}
			raw := must.Get(json.MarshalIndent(said{r.EName, r.EValue, r.Traceback, r.Text("stderr")}, "", "  ")).Or(t)
			raw = placed(append(raw, '\n'))
			raw = counted.ReplaceAllFunc(raw, func(m []byte) []byte {
				part := counted.FindSubmatch(m)
				n, _ := strconv.Atoi(string(part[2]))
				return fmt.Appendf(nil, "%s%d]", part[1], n-before)
			})
			if !*update {
				if got, want := steady(raw), steady(stored); got != want {
					t.Errorf("the kernel says\n%s, and testdata has\n%s", got, want)
				}
				return
			}
			a.Files = append(cells, txtar.File{Name: "kernel.json", Data: raw})
			if m := programFile.FindStringSubmatch(r.Text("stderr")); m != nil {
				built := testfile.Read(t, m[1])
				a.Files = append(a.Files, txtar.File{Name: "main.go", Data: []byte(built)})
			}
			must.Do(t, os.WriteFile(file, txtar.Format(a), 0o644))
		})
	}
}

// programFile is the program that a stack names.
var programFile = regexp.MustCompile(`(?m)^\s.*?(/\S*/main(?:_test)?\.go):\d+`)

var counted = regexp.MustCompile(`(Cell ?\[)(\d+)\]`)

// folders has patterns for folders of one computer, and what testdata has in their place.
var folders = []struct {
	of *regexp.Regexp
	is string
}{
	{regexp.MustCompile(`/[^\s"\\()]*/gonb_[0-9a-f]+/`), "/kernel/"},
	{regexp.MustCompile(`gonb_[0-9a-f]+`), "gonb"},
	{regexp.MustCompile(`/[^\s"\\()]*/tools-[0-9a-f]+/`), "/tools/"},
	{regexp.MustCompile(`/[^\s"\\()]*/pkg/mod/`), "/mod/"},
	{regexp.MustCompile(`/[^\s"\\()]*/src/`), "/go/src/"},
}

func placed(raw []byte) []byte {
	for _, f := range folders {
		raw = f.of.ReplaceAll(raw, []byte(f.is))
	}
	return raw
}

// GoNB marks the frames of a stack only if it reads their lines in one piece.
var changing = regexp.MustCompile(` ?\\u001b\[7m\[\[ Cell \[\d+\] Line \d+ \]\]\\u001b\[0m |0x[0-9a-f]+|goroutine \d+|\d{4}/\d\d/\d\d \d\d:\d\d:\d\d|\\n\\nruntime stack:.*`)

// steady leaves out addresses, times and the stack of the runtime itself.
func steady(raw []byte) string { return string(changing.ReplaceAll(raw, nil)) }
