package cli

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

func readText(t *testing.T, path ...string) string {
	t.Helper()
	return testfile.Read(t, filepath.Join(append([]string{"..", ".."}, path...)...))
}

// blocks returns the code in a Markdown text that is said to be of a language.
func blocks(text, language string) (all []string) {
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}

// A command that a page names must be there, with its flags; and README and the
// comment of main.go have to name every one.
func TestPagesNameCommands(t *testing.T) {
	known := map[string]*cobra.Command{}
	for _, c := range commands {
		c := c()
		known[c.Name()] = c
		for _, verb := range c.Commands() {
			known[c.Name()+" "+verb.Name()] = verb
		}
	}
	for _, page := range []string{"README.md", "CONTRIBUTING.md", "notebooks/README.md", "docs/site.md", "main.go"} {
		text := readText(t, page)
		named := map[string]bool{}
		for line := range strings.Lines(text) {
			for _, use := range strings.Split(line, "go run . ")[1:] {
				name := regexp.MustCompile(`^[a-z]*`).FindString(use)
				if known[name] != nil && known[name].HasSubCommands() {
					name = regexp.MustCompile(`^[a-z]* [a-z]+`).FindString(use)
				}
				c := known[name]
				if c == nil {
					t.Errorf("%s: there is no command %q", page, name)
					continue
				}
				named[name] = true
				for _, flag := range regexp.MustCompile(`--([a-z-]+)`).FindAllStringSubmatch(use, -1) {
					if c.Flag(flag[1]) == nil {
						t.Errorf("%s: %s has no flag --%s", page, name, flag[1])
					}
				}
			}
		}
		for name := range known {
			if (page == "README.md" || page == "main.go") && !known[name].HasSubCommands() && !named[name] {
				t.Errorf("%s does not name the command %s", page, name)
			}
		}
	}
}

// A package that a page has somebody run or test must be there. The go command looks: a
// folder that this process looked at would be a reason for go test to run all this again
// when a lecture in it is edited.
func TestPagesNamePackages(t *testing.T) {
	list := exec.Command("go", "list")
	list.Dir = filepath.Join("..", "..")
	for _, page := range []string{"README.md", "CONTRIBUTING.md", "docs/benchmarks.md", "docker/README.md"} {
		for _, m := range regexp.MustCompile(`go (?:run|test|generate)\b[^\n`+"`"+`|]*? (\./[a-z][a-z/]*)`).FindAllStringSubmatch(readText(t, page), -1) {
			list.Args = append(list.Args, m[1])
		}
	}
	if out, err := list.CombinedOutput(); err != nil {
		t.Errorf("a page names a package that is not there: %v: %s", err, out)
	}
}

// The map of CONTRIBUTING.md has one row for each room.
func TestMap(t *testing.T) {
	text := readText(t, "CONTRIBUTING.md")
	folders := must.Get(os.ReadDir("..")).Or(t)
	there := map[string]bool{}
	for _, f := range folders {
		if !f.IsDir() {
			continue
		}
		there["internal/"+f.Name()] = true
		if n := strings.Count(text, "\n| `internal/"+f.Name()+"` |"); n != 1 {
			t.Errorf("CONTRIBUTING.md has %d rows for internal/%s, want one", n, f.Name())
		}
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `(internal/[a-z]+)` ").FindAllStringSubmatch(text, -1) {
		if !there[m[1]] {
			t.Errorf("CONTRIBUTING.md has a row for %s, which is not there", m[1])
		}
	}
}

// The cells of the README run, and its program is the tested example.
func TestReadmeCode(t *testing.T) {
	tier.Long(t)
	var cells []*nbformat.Cell
	example := readText(t, "mlkit", "perceptron", "readme_example_test.go")
	for i, code := range blocks(readText(t, "README.md"), "go") {
		if strings.Contains(code, "\n%%\n") {
			cells = append(cells, &nbformat.Cell{ID: "cell-" + string(rune('a'+i)), Type: "code", Source: code, Metadata: map[string]any{}})
			continue
		}
		if code = "\t" + strings.ReplaceAll(strings.TrimSpace(code), "\n", "\n\t"); !strings.Contains(example, strings.ReplaceAll(code, "\n\t\n", "\n\n")) {
			t.Errorf("mlkit/perceptron/readme_example_test.go does not have this part of README.md:\n%s", code)
		}
	}
	if len(cells) == 0 {
		t.Fatal("README.md has no cell")
	}
	// A cache of its own: in the user's it would look after the builds of all lectures.
	cache := must.Get(os.UserCacheDir()).Or(t)
	t.Setenv("GOCACHE", cmp.Or(os.Getenv("GOCACHE"), filepath.Join(cache, "go-build")))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	nb := &nbformat.Notebook{Minor: 5, Cells: cells, Metadata: map[string]any{
		"kernelspec": map[string]any{"display_name": "Go (gonb)", "language": "go", "name": "gonb"}}}
	file := filepath.Join(t.TempDir(), "readme.ipynb")
	nbtest.Write(t, nb, file)
	if status := statusOf(t.Context(), []string{"test", file}); status != 0 {
		t.Errorf("the cells of README.md end with status %d", status)
	}
}

// docs/module.md, done as it says, with nothing but the modules that are there.
func TestModuleOfOnesOwn(t *testing.T) {
	tier.Long(t)
	root := repotest.Root(t)
	ways := blocks(readText(t, "docs", "module.md"), "sh")
	if len(ways) != 2 {
		t.Fatalf("docs/module.md has %d scripts, want that of a replace line and that of a workspace", len(ways))
	}
	dir := t.TempDir()
	must.Do(t, os.Symlink(root, filepath.Join(dir, "marginalia")))
	run := func(script string) {
		t.Helper()
		c := exec.Command("sh", "-e")
		c.Stdin, c.Dir = strings.NewReader(script), dir
		c.Env = append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOSUMDB=off")
		out, err := c.CombinedOutput()
		// Theodoridis and Koutroumbas, example 3.2: see ExamplePerceptron_readme.
		if err != nil || !strings.HasSuffix(string(out), "[-1 1] 0\n") {
			t.Errorf("%v, and it says %q, want [-1 1] 0 at the end:\n%s", err, out, script)
		}
	}
	run(ways[0])
	// The workspace does without the two lines.
	for _, drop := range []string{"-dropreplace=marginalia", "-droprequire=marginalia"} {
		c := exec.Command("go", "mod", "edit", drop)
		c.Dir = filepath.Join(dir, "hello")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	run(ways[1])
}
