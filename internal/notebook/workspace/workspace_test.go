package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"marginalia/internal/notebook/workspace"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
)

const goMod = "module example.org/course\n\ngo 1.26\n"

// tree writes files below a new folder, which has a repository in root.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	testfile.Write(t, filepath.Join(dir, "root", "go.mod"), "module marginalia\n\ngo 1.26.0\n\nrequire gonum.org/v1/gonum v0.17.0\n")
	for name, text := range files {
		testfile.Write(t, filepath.Join(dir, name), text)
	}
	return dir
}

func TestFind(t *testing.T) {
	for name, tt := range map[string]struct {
		files map[string]string
		dir   string   // of the notebook
		want  []string // folders of modules
		home  string
		local []string
	}{
		"nothing":                    {nil, "nb", nil, "", nil},
		"in the repository":          {nil, "root/notebooks", nil, "", nil},
		"in the folder":              {map[string]string{"c/go.mod": goMod}, "c", []string{"c"}, "c", nil},
		"above":                      {map[string]string{"c/go.mod": goMod}, "c/nb/week1", []string{"c"}, "c", nil},
		"the nearest":                {map[string]string{"c/go.mod": goMod, "c/nb/go.mod": "module example.org/nb\n"}, "c/nb", []string{"c/nb"}, "c/nb", nil},
		"it replaces":                {map[string]string{"c/go.mod": goMod + "replace example.org/r => ../r\nreplace marginalia => ../root\n", "r/go.mod": "module example.org/r\n"}, "c", []string{"c"}, "c", []string{"r"}},
		"a workspace":                {map[string]string{"c/go.work": "go 1.26\nuse (\n./a\n./b\n)\nreplace example.org/r => ./r\n", "c/a/go.mod": goMod, "c/b/go.mod": "module example.org/b\n", "c/r/go.mod": "module example.org/r\n"}, "c/nb", []string{"c/a", "c/b"}, "c", []string{"c/r"}},
		"the repository's workspace": {map[string]string{"go.work": "go 1.26\nuse (\n./root\n./c\n)\n", "c/go.mod": goMod}, "c", []string{"c"}, "c", nil},
		"the repository alone":       {map[string]string{"go.work": "go 1.26\nuse ./root\n"}, "nb", nil, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, tt.files)
			must.Do(t, os.MkdirAll(filepath.Join(dir, tt.dir), 0o755))
			m := must.Get(workspace.Find(filepath.Join(dir, tt.dir), filepath.Join(dir, "root"))).Or(t)
			if m == nil {
				m = &workspace.Modules{}
			}
			for i, p := range tt.want {
				tt.want[i] = filepath.Join(dir, p)
			}
			for i, p := range tt.local {
				tt.local[i] = filepath.Join(dir, p)
			}
			if tt.home != "" {
				tt.home = filepath.Join(dir, tt.home)
			}
			if !slices.Equal(m.Dirs, tt.want) || m.Home != tt.home || !slices.Equal(m.Local, tt.local) {
				t.Errorf("modules %q at home in %q with %q, want %q, %q, %q", m.Dirs, m.Home, m.Local, tt.want, tt.home, tt.local)
			}
		})
	}
}

// Each sentence names the file and what to do.
func TestConflicts(t *testing.T) {
	for name, tt := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"broken":           {map[string]string{"c/go.mod": "modul x\n"}, []string{"c/go.mod:1: ", "fix the file"}},
		"no name":          {map[string]string{"c/go.mod": "go 1.26\n"}, []string{"c/go.mod", "go mod edit -module"}},
		"our name":         {map[string]string{"c/go.mod": "module marginalia\n"}, []string{"c/go.mod names its module marginalia,", "go mod edit -module"}},
		"below our name":   {map[string]string{"c/go.mod": "module marginalia/mlkit\n"}, []string{"c/go.mod names its module marginalia/mlkit", "go mod edit -module"}},
		"a newer Go":       {map[string]string{"c/go.mod": "module example.org/course\n\ngo 1.99\n"}, []string{"c/go.mod says go 1.99", "install Go 1.99"}},
		"a newer gonum":    {map[string]string{"c/go.mod": goMod + "require gonum.org/v1/gonum v0.18.0\n"}, []string{"c/go.mod requires gonum.org/v1/gonum@v0.18.0", "get gonum.org/v1/gonum@v0.17.0"}},
		"another gonum":    {map[string]string{"c/go.mod": goMod + "replace gonum.org/v1/gonum => ../gonum\n"}, []string{"c/go.mod replaces gonum.org/v1/gonum", "remove"}},
		"of the workspace": {map[string]string{"c/go.work": "go 1.26\nreplace gonum.org/v1/gonum => ../gonum\n"}, []string{"c/go.work replaces gonum.org/v1/gonum", "remove"}},
		"broken workspace": {map[string]string{"c/go.work": "uses ./x\n"}, []string{"c/go.work:1: ", "fix the file"}},
		"no folder":        {map[string]string{"c/go.work": "go 1.26\nuse ./x\n"}, []string{"c/go.work uses ./x", "-dropuse ./x"}},
		"no go.mod":        {map[string]string{"c/go.work": "go 1.26\nuse ./x\n", "c/x/x.go": "package x\n"}, []string{"c/x/go.mod", "go mod init"}},
		"not used":         {map[string]string{"go.work": "go 1.26\n", "c/go.mod": goMod}, []string{"go.work does not use", "work use"}},
		"newer workspace":  {map[string]string{"c/go.work": "go 1.99\n"}, []string{"c/go.work says go 1.99", "install"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, tt.files)
			_, err := workspace.Find(filepath.Join(dir, "c"), filepath.Join(dir, "root"))
			for _, want := range tt.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("got error %v, want one with %q", err, want)
				}
			}
		})
	}
	for name, more := range map[string]string{"the same gonum": "require gonum.org/v1/gonum v0.17.0\n", "an older gonum": "require gonum.org/v1/gonum v0.16.0\n"} {
		dir := tree(t, map[string]string{"c/go.mod": goMod + more})
		if _, err := workspace.Find(filepath.Join(dir, "c"), filepath.Join(dir, "root")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A kernel's workspace follows the modules from cell to cell, wherever %cd leads, and
// keeps what its user added.
func TestJoin(t *testing.T) {
	dir := tree(t, map[string]string{"nb/x": "", "nb/r/go.mod": "module example.org/r\n", "other/go.mod": "module example.org/other\n"})
	t.Setenv(workspace.DirEnv, "") // a test may run in a cell
	kernel := filepath.Join(dir, "kernel")
	work := filepath.Join(kernel, "go.work")
	t.Chdir(filepath.Join(dir, "nb"))
	j := workspace.NewJoiner()
	t.Chdir(dir)
	uses := func() (list []string) {
		data := testfile.Read(t, work)
		w := must.Get(modfile.ParseWork(work, []byte(data), nil)).Or(t)
		for _, u := range w.Use {
			list = append(list, u.Path)
		}
		for _, r := range w.Replace {
			list = append(list, r.Old.Path+" => "+r.New.Path)
		}
		slices.Sort(list)
		return list
	}
	const root = "../root"
	nb := filepath.Join(dir, "nb")
	testfile.Write(t, work, "go 1.26.0\n\nuse (\n\t.\n\t../root\n)\n")
	for _, step := range []struct {
		file, text string
		want       []string
	}{
		{"unrelated", "", []string{".", root}},
		{"nb/go.mod", goMod, []string{".", root, nb}},
		{"kernel/go.work", "go 1.26.0\n\nuse (\n\t.\n\t../root\n\t../other\n\t" + nb + "\n)\n", []string{".", "../other", root, nb}},
		{"nb/go.work", "go 1.26\nuse .\nreplace example.org/r => ./r\n", []string{".", "../other", root, nb, "example.org/r => " + filepath.Join(nb, "r")}},
		{"nb/go.work", "go 1.26\nuse .\nreplace example.org/r => ./none\n", []string{".", "../other", root, nb, "example.org/r => ./copies/absent0"}},
		{"nb/vendor/modules.txt", "# example.org/r v1.0.0\n", []string{".", "../other", root, nb, "example.org/r => ./copies/absent0"}},
		{"nb/go.work", "go 1.26\nuse .\n", []string{".", "../other", root, nb, "example.org/r => ./copies/absent0"}},
		{"nb/vendor/modules.txt", "# example.org/v v1.0.0\n## explicit; go 1.26\nexample.org/v\n", []string{".", "../other", root, nb, "example.org/v => ./copies/absent0"}},
		{"nb/vendor/example.org/v/v.go", "package v\n", []string{".", "../other", root, nb, "example.org/v => ./copies/vendored0"}},
		{"nb/vendor/modules.txt", "", []string{".", "../other", root, nb}},
	} {
		testfile.Write(t, filepath.Join(dir, step.file), step.text)
		must.Do(t, j.Join(kernel))
		slices.Sort(step.want)
		if got := uses(); !slices.Equal(got, step.want) {
			t.Errorf("after %s: %q, want %q", step.file, got, step.want)
		}
	}
	testfile.Write(t, filepath.Join(nb, "go.mod"), "modul x\n")
	if err := j.Join(kernel); err == nil {
		t.Error("a broken go.mod has no error")
	}
	if err := errors.Join(os.Remove(filepath.Join(nb, "go.mod")), os.Remove(filepath.Join(nb, "go.work")), j.Join(kernel)); err != nil {
		t.Fatal(err)
	}
	if got, want := uses(), []string{".", "../other", root}; !slices.Equal(got, want) {
		t.Errorf("without a module: %q, want %q", got, want)
	}
	// A kernel that replaces a dead one starts in the folder that %cd had chosen.
	testfile.Write(t, filepath.Join(nb, "go.mod"), goMod)
	t.Setenv(workspace.DirEnv, nb)
	must.Do(t, workspace.NewJoiner().Join(kernel))
	if got, want := uses(), []string{".", "../other", root, nb}; !slices.Equal(got, want) {
		t.Errorf("of the folder named: %q, want %q", got, want)
	}
}

// What a workspace can't name comes in as copies: modules in a vendor folder, without those within
// them, and empty ones for folders that are not there.
func TestCopies(t *testing.T) {
	dir := tree(t, map[string]string{
		"c/go.mod": goMod + "require example.org/a v1.0.0\nreplace example.org/gone v1.0.0 => ../gone\nreplace example.org/a => ../also-gone\n",
		"c/vendor/modules.txt": "# example.org/a v1.0.0\n## explicit; go 1.25\nexample.org/a\nexample.org/a/sub\n# example.org/a/b v1.0.0\nexample.org/a/b/c\n" +
			"# example.org/empty v1.0.0\n## explicit\n# gonum.org/v1/gonum v0.17.0\n## explicit; go 1.24\ngonum.org/v1/gonum/mat\n# example.org/a => ../also-gone\n",
		"c/vendor/example.org/a/a.go":            "package a\n",
		"c/vendor/example.org/a/sub/data.txt":    "embedded",
		"c/vendor/example.org/a/b/c/c.go":        "package c\n",
		"c/vendor/gonum.org/v1/gonum/mat/doc.go": "package mat\n",
	})
	root, at := filepath.Join(dir, "root"), filepath.Join(dir, "at")
	m := must.Get(workspace.Find(filepath.Join(dir, "c"), root)).Or(t)
	work := must.Get(m.Work(root)).Or(t)
	testfile.Write(t, filepath.Join(at, "go.mod"), "module marginalia/cells\n")
	testfile.Write(t, filepath.Join(at, "go.work"), string(work))
	must.Do(t, m.Copy(at))
	for _, want := range []string{"example.org/gone => ./copies/absent0\n", "example.org/a => ./copies/vendored1\n", "example.org/a/b => ./copies/vendored2\n", "example.org/empty => ./copies/absent3\n"} {
		if !strings.Contains(string(work), want) {
			t.Errorf("no %q in\n%s", want, work)
		}
	}
	if strings.Contains(string(work), "gonum") {
		t.Errorf("it replaces the gonum of the lectures:\n%s", work)
	}
	for name, want := range map[string]string{
		"absent0/go.mod":         "module example.org/gone\n",
		"vendored1/go.mod":       "module example.org/a\n\ngo 1.25\n",
		"vendored1/a.go":         "package a\n",
		"vendored1/sub/data.txt": "embedded",
		"vendored2/c/c.go":       "package c\n",
		"absent3/go.mod":         "module example.org/empty\n",
	} {
		if got, err := os.ReadFile(filepath.Join(at, "copies", name)); string(got) != want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(at, "copies", "vendored1", "b")); err == nil {
		t.Error("a module has a copy within that of another")
	}
	if got, want := workspace.Absent(at), []string{"example.org/gone", "example.org/empty"}; !slices.Equal(got, want) {
		t.Errorf("absent are %q, want %q", got, want)
	}
}
