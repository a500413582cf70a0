package reads

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

func TestShorten(t *testing.T) {
	root, away := t.TempDir(), t.TempDir()
	for _, name := range []string{filepath.Join(root, "in", "file"), filepath.Join(away, "out", "file")} {
		testfile.Write(t, name, "")
	}
	link := func(name, to string) {
		t.Helper()
		must.Do(t, os.Symlink(filepath.Join(root, to), filepath.Join(away, name)))
	}
	link("root", ".")
	link("folder", "in")
	link("file", "in/file")
	var list, want strings.Builder
	line := func(kept bool, words string) {
		words = strings.NewReplacer("ROOT", root, "AWAY", away).Replace(words) + "\n"
		list.WriteString(words)
		if kept {
			want.WriteString(words)
		}
	}
	line(true, "# test log")
	line(true, "getenv HOME")
	line(true, "open ROOT/in/file")
	line(true, "stat ROOT/in/file")
	line(false, "open ROOT/in/file")
	line(false, "getenv HOME")
	line(true, "stat ROOT")
	line(true, "open ROOT/in/not there")
	line(true, "open in/file")
	line(false, "open AWAY/out/file")
	line(false, "stat AWAY/gone/file")
	line(false, "open ROOT-beside/file")
	line(true, "open AWAY/folder/file") // by links
	line(true, "open AWAY/root/in/file")
	line(true, "stat AWAY/file")
	line(true, "chdir AWAY/out")
	line(true, "open in/file") // another one
	line(true, "chdir ROOT")
	line(true, "open in/file")
	line(false, "open in/file")
	if got := string(shorten([]byte(list.String()), root)); got != want.String() {
		t.Errorf("the list\n%s\nwant\n%s", got, want.String())
	}
	// With a name of the root that has a link in it, both names count.
	linked := filepath.Join(away, "root")
	if got := string(shorten([]byte("open "+root+"/in/file\nopen "+linked+"/in\nopen "+away+"/out\n"), linked)); strings.Contains(got, "/out") || strings.Count(got, "\n") != 2 {
		t.Errorf("of a root with a link in its name the list is\n%s", got)
	}
}

// The go command takes the short list: it does not run a test again, until a file in the module changes
// that the test has read.
func TestGoCommand(t *testing.T) {
	tier.Long(t)
	dir := t.TempDir()
	old := time.Now().Add(-time.Hour) // the go command trusts no file that is younger than two seconds
	write := func(name, text string) {
		t.Helper()
		testfile.Write(t, filepath.Join(dir, name), text)
		old = old.Add(time.Minute)
		must.Do(t, os.Chtimes(filepath.Join(dir, name), old, old))
	}
	write("go.mod", "module example.org/m\n\ngo 1.26\n")
	write("reads/reads.go", testfile.Read(t, "reads.go"))
	write("m/data", "one")
	write("m/m_test.go", `package m

import (
	"flag"
	"os"
	"strings"
	"testing"

	"example.org/m/reads"
)

func TestMain(m *testing.M) {
	code := reads.Short(m).Run()
	list, err := os.ReadFile(flag.Lookup("test.testlogfile").Value.String())
	if err != nil || strings.Count(string(list), "open") != 1 {
		panic(string(list))
	}
	os.Exit(code)
}

func TestRead(t *testing.T) {
	for range 3 {
		os.ReadFile("data")
		os.ReadFile(os.TempDir() + "/nothing")
	}
}
`)
	test := func(cached bool) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "./m")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=", "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "(cached)") != cached {
			t.Fatalf("%v, want that it is cached %v:\n%s", err, cached, out)
		}
	}
	test(false)
	test(true)
	write("m/data", "two")
	test(false)
	test(true)
}
