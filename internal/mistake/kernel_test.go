package mistake_test

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"marginalia/internal/jupyter"
	"marginalia/internal/jupyter/jupytertest"
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

// What testdata has as the kernel's words are the kernel's words. All of them are
// recorded anew with -update; a tenth is compared.
func TestKernelSays(t *testing.T) {
	spec := jupytertest.Spec(t)
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for i, file := range files {
		if !*update && i%10 != 0 {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			k, err := jupyter.Start(context.Background(), spec)
			if err != nil {
				t.Fatal(err)
			}
			defer k.Shutdown()
			var r *jupyter.Result
			var stored []byte
			cells := a.Files[:0:0]
			for _, f := range a.Files {
				switch {
				case strings.HasPrefix(f.Name, "cell "):
					if r, err = k.Execute(context.Background(), strings.TrimSuffix(string(f.Data), "\n")); err != nil {
						t.Fatal(err)
					}
					cells = append(cells, f)
				case f.Name == "kernel.json":
					stored = f.Data
				}
			}
			if !r.Failed {
				t.Fatal("the last cell does not fail")
			}
			raw, err := json.MarshalIndent(said{r.EName, r.EValue, r.Traceback, r.Text("stderr")}, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			raw = append(raw, '\n')
			if !*update {
				if got, want := steady(raw), steady(stored); got != want {
					t.Errorf("the kernel says\n%s, and testdata has\n%s", got, want)
				}
				return
			}
			a.Files = append(cells, txtar.File{Name: "kernel.json", Data: raw})
			if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

var changing = regexp.MustCompile(`0x[0-9a-f]+|/[^ "]*/gonb_[0-9a-f]+|gonb_[0-9a-f]+|goroutine \d+|\d{4}/\d\d/\d\d \d\d:\d\d:\d\d`)

// steady leaves out addresses, names of folders and times.
func steady(raw []byte) string { return string(changing.ReplaceAll(raw, nil)) }
