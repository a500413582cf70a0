package internal

import (
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// rooms says which rooms the packages of each room may import, besides those of their own. All
// stand below it in doc.go, so no arrow points back.
var rooms = []struct{ name, imports string }{
	{"cli", "site course install kernel gotest notebook base"},
	{"bench", "install base"},
	{"site", "course install gotest browser notebook cell base"},
	{"course", "sandbox install browser notebook cell base"},
	{"sandbox", "gotest notebook cell base"},
	{"install", "kernel notebook cell base"},
	{"kernel", "notebook cell build base testkit"}, // testkit: kernel/jupyter/jupytertest
	{"gotest", "notebook cell build base"},
	{"browser", "notebook cell build base"},
	{"notebook", "cell base"},
	{"cell", ""},
	{"build", "base"},
	{"base", ""},
	{"testkit", ""},
}

// TestRooms holds the packages to the table, the table to its order, and the folders to doc.go.
func TestRooms(t *testing.T) {
	may, below := map[string][]string{}, []string{}
	for _, r := range slices.Backward(rooms) {
		may[r.name] = append(strings.Fields(r.imports), r.name)
		for _, other := range strings.Fields(r.imports) {
			if !slices.Contains(below, other) {
				t.Errorf("%s imports %s, which does not stand below it", r.name, other)
			}
		}
		below = append(below, r.name)
	}
	// The cached result of a test is taken if the files that it has read are the same. It does not
	// see what go list reads, so the test reads the folders itself.
	var folders []string
	if err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "testdata" {
			return fs.SkipDir
		}
		if err == nil && d.IsDir() && path != "." && !strings.Contains(path, string(filepath.Separator)) {
			folders = append(folders, path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(below)
	if !slices.Equal(folders, below) {
		t.Errorf("the folders are %q, the rooms %q", folders, below)
	}
	for _, name := range folders {
		if files, _ := filepath.Glob(filepath.Join(name, "doc.go")); files == nil { // the pattern is well-formed
			t.Errorf("%s has no doc.go that says what it is and what an edit rebuilds", name)
		}
	}
	// With -e, a package that does not compile hides no others.
	out, err := exec.Command("go", "list", "-e", "-f", `{{range .Imports}}{{$.ImportPath}} {{.}}{{"\n"}}{{end}}`, "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	arrows := 0
	for line := range strings.Lines(string(out)) {
		pkg, dep, _ := strings.Cut(strings.TrimSpace(line), " ")
		from, to := room(pkg), room(dep)
		if to == "" {
			continue
		}
		arrows++
		if !slices.Contains(may[from], to) {
			t.Errorf("%s imports %s: %s may import the rooms %q", pkg, dep, from, may[from])
		}
	}
	if arrows < 100 {
		t.Errorf("go list names %d imports between packages of internal", arrows)
	}
}

// room is the room of an import path, "" if it is none of internal's.
func room(pkg string) string {
	path, ok := strings.CutPrefix(pkg, "marginalia/internal/")
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(path, "/")
	return name
}
