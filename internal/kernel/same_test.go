package kernel

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/base/setup/setuptest"
	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// A sequence is a notebook that two kernels run.
type sequence struct {
	name  string
	files map[string]string // beside the notebook
	apart bool              // each cell is sent when the one before has ended, else all at once
	cells []string
}

// The first cell imports what the others use: goimports answers cells that lack an import.
const first = "import (\n\t\"flag\"\n\t\"fmt\"\n\t\"os\"\n\t\"path/filepath\"\n\t\"strconv\"\n\t\"strings\"\n)\n\n%%\nfmt.Println(0)"

// writes returns a cell that changes a file.
func writes(name, text string) string { return "%%writefile " + name + "\n" + text }

// number is a package whose function returns n.
func number(n int) string { return fmt.Sprintf("package a\n\nfunc A() int { return %d }", n) }

var same = []sequence{
	// Errors and traces have the same words and lines, whoever has built the cell.
	{name: "errors", cells: []string{
		"func f(x []int) int {\n\treturn x[3]\n}\n\n%%\nfmt.Println(f([]int{1}))",
		"func g() {\n\tx := 1\n}\n\n%%\ng()",
		"%%\nfmt.Println(1",
		"func Größe(µ float64) string { return strconv.FormatFloat(µ, 'g', -1, 64) }\n\n%%\nfmt.Println(Größe(2), \"日本\")",
		"%%\r\nx := `a\r\nb`\r\nfmt.Println(len(x))\r\nos.Exit(3)\r\n",
		"import \"testing\"\n\nfunc TestA(t *testing.T) { t.Error(Größe(3)) }\n\n%test",
		"%%\n//line other.go:7\npanic(\"line\")",
	}},
	// Commands change how a cell is built, and how it runs.
	{name: "commands", cells: []string{
		"var n = flag.Int(\"n\", 3, \"\")\nvar version = \"0\"\n\n%% -n=5 a b\nfmt.Println(*n, flag.Args())",
		"%goflags \"-ldflags=-X=main.version=7\"\n%%\nfmt.Println(version, *n)",
		"%goflags \"\"\n%env GOFLAGS=-ldflags=-X=main.version=8\n%%\nfmt.Println(version)",
		"%rm n\n%env MARGINALIA_FIGURE_FORMATS=pdf\n%%\nfmt.Println(version)",
		"import \"marginalia/plotting\"\n\n%%\nplotting.New(\"a\").Add(plotting.Line([]float64{0, 1}, []float64{1, 0})).Show()",
	}},
	// A package is changed while the cell that imports it is already built ahead.
	{name: "beside", files: map[string]string{"go.mod": "module course\n\ngo 1.26\n", "a/a.go": number(0)}, cells: []string{
		"import \"course/a\"\n\n%%\nfmt.Println(a.A())",
		writes("a/a.go", number(1)),
		"%%\nfmt.Println(a.A())",
		writes("a/a.go", "package a\n\nfunc A() int { return x }"),
		"%%\nfmt.Println(a.A())",
		writes("a/a.go", number(2)),
		"%%\nfmt.Println(a.A())",
		"!rm go.mod",
		"%%\nfmt.Println(a.A())",
		"%rm a\n%%\nfmt.Println(\"after\")",
	}},
}

// The kernel with the builder shows what the kernel without it shows.
func TestSame(t *testing.T) {
	tier.Kernel(t)
	compare(t, nil, same)
}

// These are the sequences that the builder has once got wrong.
func TestSameAgain(t *testing.T) {
	tier.Kernel(t)
	root := repotest.Root(t)
	// A cell has the go command replace what every cell may import by this. It imports what the other
	// imports too: the front drops a package whose imports are not there.
	lib := t.TempDir()
	testfile.Write(t, filepath.Join(lib, "go.mod"), "module github.com/janpfeifer/gonb\n\ngo 1.26\n\nrequire github.com/pkg/errors v0.9.1\n")
	testfile.Write(t, filepath.Join(lib, "cache", "cache.go"), "package cache\n\nimport (\n\t_ \"encoding/gob\"\n\t_ \"github.com/pkg/errors\"\n\t_ \"hash/fnv\"\n\t_ \"log\"\n)\n\nfunc Replaced() string { return \"replaced\" }\n")
	for _, name := range []string{"gonbui", "gonbui/protocol", "common"} {
		testfile.Write(t, filepath.Join(lib, filepath.FromSlash(name), "x.go"), "package "+path.Base(name)+"\n")
	}
	const app = "package main\nimport (\"fmt\"; \"os\")\nfunc main() {fmt.Println( 1)}\n"
	const replaced = "import \"github.com/janpfeifer/gonb/cache\"\n\n%%\nfmt.Println(cache.Replaced())"
	chain := must.Get(New(t.Context(), root)).Or(t)
	compare(t, []string{"XDG_CACHE_HOME=" + t.TempDir(), "GOCACHE=" + chain.GOCACHE}, []sequence{
		// The first cell changes the kernel's go.mod while the front learns what there was before.
		{name: "go.mod is changed while the front learns", apart: true, cells: []string{
			"!*cp go.mod saved; go mod edit -require=github.com/janpfeifer/gonb@v0.11.5 -replace=github.com/janpfeifer/gonb=" + lib,
			replaced + "\ntime.Sleep(3 * time.Second)", // until the front has learned
			"!*mv saved go.mod; rm -f go.sum go.work.sum",
			replaced,
		}},
		// goimports keeps both, and the compiler says so.
		{name: "two packages of one name", cells: []string{
			first,
			"import \"math/rand/v2\"\n\n%%\nfmt.Println(rand.New(rand.NewPCG(1, 2)).IntN(1000))",
			"import \"math/rand\"\n\n%%\nfmt.Println(rand.New(rand.NewSource(1)).Intn(1000))",
			"%%\nfmt.Println(rand.New(rand.NewPCG(1, 2)).IntN(1000))",
		}},
		// goimports removes an import if the cell uses none of its exported names.
		{name: "a name in lower case", cells: []string{first, "import \"math\"\n\n%%\nfmt.Println(math.pi)"}},
		// The socket lies where cells have their own files.
		{name: "a folder named go", cells: []string{first, "%%\nfmt.Println(os.Mkdir(filepath.Join(os.TempDir(), \"go\"), 0o755) == nil)"}},
		// A shell command formats a file, in a folder where the front has learned, and no other file.
		{name: "goimports of a program beside", apart: true, files: map[string]string{"main.go": app, "app/main.go": app, "app/go.mod": "module app\n\ngo 1.26\n"}, cells: []string{
			"!cd app && goimports -w main.go && go build -o app && sleep 3",
			writes("app/main.go", app),
			"!cd app && goimports -w main.go; cat main.go ../main.go",
			writes("app/main.go", app),
			"!cd app && goimports -w $PWD/main.go; cat main.go",
			"!cd app && (umask 077; go build -o private) && ls -l private | cut -c1-10",
		}},
	})
}

// compare runs the sequences on a kernel without the builder and on one with it.
func compare(t *testing.T, env []string, sequences []sequence) {
	spec := must.Get(Spec(t.Context(), repotest.Root(t), setuptest.Steps(new([]string)))).Or(t)
	spec.Env = slices.Concat(spec.Env, env)
	for _, s := range sequences {
		if env == nil {
			s.cells = slices.Insert(s.cells, 0, first)
		}
		t.Run(s.name, func(t *testing.T) {
			off, on := s.run(t, spec, "off"), s.run(t, spec, "on")
			for i, code := range s.cells {
				if on[i] != off[i] {
					t.Errorf("cell %d\n%s\nshows with the builder\n%s\nand without\n%s", i, code, on[i], off[i])
				}
			}
		})
	}
}

// run returns what each cell shows. No cell that fails stops the others.
func (s sequence) run(t *testing.T, spec jupyter.Spec, builder string) []string {
	dir := filepath.Join(t.TempDir(), "notebook")
	must.Do(t, os.Mkdir(dir, 0o755))
	for name, text := range s.files {
		testfile.Write(t, filepath.Join(dir, name), text)
	}
	spec.Dir, spec.Env = dir, append(slices.Clip(spec.Env), "MARGINALIA_BUILDER="+builder)
	k := must.Get(jupyter.Start(t.Context(), spec)).Or(t)
	defer k.Shutdown()
	var ids []string
	got := map[string][]nbformat.Output{}
	for i, code := range s.cells {
		id := must.Get(k.Request(jupyter.Shell, "execute_request", map[string]any{"code": code, "silent": false, "store_history": true, "stop_on_error": false})).Or(t)
		ids = append(ids, id)
		for ended := !s.apart && i < len(s.cells)-1; !ended; {
			var m jupyter.Message
			select {
			case m = <-k.Messages:
			case <-k.Ended():
				t.Fatal(k.Death())
			}
			switch m.Header.Type {
			case "stream", "error", "display_data":
				o := nbformat.Output{Type: m.Header.Type}
				var c struct {
					Name, Text, EName, EValue string
					Traceback                 []string
					Data                      map[string]any
				}
				must.Do(t, m.Decode(&c))
				o.Name, o.Text, o.EName, o.EValue, o.Traceback, o.Data = c.Name, c.Text, c.EName, c.EValue, c.Traceback, c.Data
				got[m.Parent.ID] = append(got[m.Parent.ID], o)
			}
			ended = m.Parent.ID == id && jupyter.IsIdle(m)
		}
	}
	var all []string
	for _, id := range ids {
		all = append(all, strings.ReplaceAll(shown(got[id]), dir, "notebook"))
	}
	return all
}

var (
	// marks are GoNB's of the lines of cells. It leaves out those that come in two pieces.
	marks = regexp.MustCompile(` *\x1b\[7m\[\[ Cell.*?\]\]\x1b\[0m ?`)
	// varying are numbers that no two kernels share.
	varying = regexp.MustCompile(`gonb_[0-9a-f]{8}|\+?0x[0-9a-f]+|[0-9.]+m?s\b|marginalia-kernel-\d+|goroutine \d+`)
)

// shown writes outputs out, each stream on its own: the streams of a cell mix as they come.
func shown(outputs []nbformat.Output) string {
	streams := map[string]string{}
	rest := ""
	for _, o := range outputs {
		if o.Type == "stream" {
			streams[o.Name] += o.Text
			continue
		}
		data, _ := json.Marshal(o.Data) // it was JSON
		rest += fmt.Sprintf("%s %s %s %q %s\n", o.Type, o.EName, o.EValue, o.Traceback, data)
	}
	for _, name := range slices.Sorted(maps.Keys(streams)) {
		rest += name + ": " + marks.ReplaceAllString(streams[name], "")
	}
	return varying.ReplaceAllString(rest, "*")
}
