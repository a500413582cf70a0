package grade_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/course/grade"
	"marginalia/internal/course/release"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/tier"
)

// Tests and answers read the files that go with the notebook, and answers no others of the folder or the machine. A
// file that an answer keeps open is at its beginning in each test.
func TestFiles(t *testing.T) {
	tier.Long(t)
	owncache.Use(t)
	lecturer := map[string]string{
		"given":      "import (\n\t\"errors\"\n\t\"io/fs\"\n\t\"os\"\n\t\"testing\"\n)\n\nvar table, tableErr = os.ReadFile(\"data/table.csv\")\n\nfunc Given(x int) int { return x + 1 }",
		"one":        "func One(x int) int { return len(table) + x }",
		"one-test":   "%test\nfunc TestOne(t *testing.T) {\n\tif got := One(1); tableErr != nil || got != len(table)+1 || len(table) != 6 {\n\t\tt.Error(got, tableErr)\n\t}\n}",
		"two":        "func Two() string { data, err := os.ReadFile(\"data/table.csv\"); if err != nil { return err.Error() }; return string(data) }",
		"two-test":   "%test\nfunc TestTwo(t *testing.T) {\n\tif got := Two(); got != \"a,b\\n1\\n\" {\n\t\tt.Error(got)\n\t}\n}\n\nfunc TestTwoAgain(t *testing.T) { TestTwo(t) }",
		"three":      "func Three(path string) bool { _, err := os.ReadFile(path); return errors.Is(err, fs.ErrNotExist) }",
		"three-test": "%test\nfunc TestThree(t *testing.T) {\n\tif !Three(\"none\") {\n\t\tt.Error(\"it is there\")\n\t}\n}",
	}
	dir := t.TempDir()
	for path, text := range map[string]string{"data/table.csv": "a,b\n1\n", "hw.ipynb": "the solution", "../outside": "the machine's"} {
		path = filepath.Join(dir, path)
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must.Do(t, os.WriteFile(path, []byte(text), 0o666))
	}
	b := &grade.Builder{Root: root(t)}
	g, err := b.Grader(t.Context(), notebook(t, lecturer), grade.Settings{TimeFactor: 20, Memory: 64 << 20, Dir: dir, Files: []release.File{{Path: "data/table.csv", Data: []byte("a,b\n1\n")}}})
	must.Do(t, err)
	t.Cleanup(g.Close)
	for name, c := range map[string]struct {
		two   string
		marks float64
		panic string
	}{
		"right": {lecturer["two"], 2, ""},
		"kept open": {`var table2, err2 = os.Open("data/table.csv")

func Two() string {
	b := make([]byte, 10)
	n, err := table2.Read(b)
	if err2 != nil || err != nil {
		panic(err)
	}
	return string(b[:n])
}`, 2, ""},
		"looks about": {`func Two() string {
	for _, path := range []string{"hw.ipynb", "./hw.ipynb", "data/../hw.ipynb", "../outside", "/../outside", "data/../../outside", "/etc/passwd", "/proc/self/environ", "\x00", ""} {
		if data, err := os.ReadFile(path); err == nil {
			panic(path + string(data))
		}
	}
	for _, err := range []error{os.WriteFile("new", nil, 0o666), os.WriteFile("data/table.csv", []byte("x"), 0o666), os.Remove("data/table.csv"), os.Mkdir("dir", 0o777), os.Rename("data/table.csv", "x"), os.Symlink("/", "x")} {
		if err == nil {
			panic("it writes")
		}
	}
	names := ""
	for _, dir := range []string{"/", "data", ".."} {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			names += e.Name() + " "
		}
	}
	panic("there is " + names)
}`, 0, "panic: there is data table.csv data"}, // the parent of / is /
	} {
		own := map[string]string{}
		for id, text := range lecturer {
			own[id] = text
		}
		own["two"] = c.two
		v := must.Get(g.Grade(t.Context(), "ada", notebook(t, own))).Or(t)
		if got := [3]float64{v.Tests[0].Score, v.Tests[1].Score, v.Tests[2].Score}; got != [3]float64{2, c.marks, 2} || len(v.Notes) > 0 {
			t.Errorf("%s: %v, want 2, %v, 2; %+v", name, got, c.marks, v)
		}
		if got := strings.TrimSpace(v.Tests[1].Checks[0].Panic); got != c.panic {
			t.Errorf("%s: %q, want %q", name, got, c.panic)
		}
	}
	if data, err := os.ReadFile(filepath.Join(dir, "data/table.csv")); string(data) != "a,b\n1\n" {
		t.Errorf("the file is %q, %v", data, err)
	}
}
