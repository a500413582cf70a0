package notebooks

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/testkit/testfile"
)

// A mutation is a fault in a function of mlkit, and the cell that has to notice it.
type mutation struct {
	line          int    // in testdata/mutations.txt
	lecture, cell string // the lecture without .ipynb
	title         string // what goes wrong
	file          string // from the root of the repository
	old, new      string
}

// pkg returns the public package that the mutation changes, such as mlkit/svm. The
// packages in its folder internal are part of it.
func (m mutation) pkg() string {
	public, _, _ := strings.Cut(path.Dir(m.file), "/internal")
	return public
}

var mutationForm = regexp.MustCompile(`(?s)^(\S+) (\S+): ([^\n]+)\n(mlkit/\S+\.go)\n- (.+?)\n\+ (.+)$`)

// readMutations reads the table.
func readMutations(t *testing.T) []mutation {
	t.Helper()
	data := testfile.Read(t, "testdata/mutations.txt")
	var all []mutation
	line := 1
	for block := range strings.SplitSeq(strings.TrimSuffix(data, "\n"), "\n\n") {
		if !strings.HasPrefix(block, "#") {
			f := mutationForm.FindStringSubmatch(block)
			if f == nil {
				t.Fatalf("mutations.txt:%d: want the lines lecture cell: title, file, - old, + new", line)
			}
			all = append(all, mutation{line, f[1], f[2], f[3], f[4], f[5], f[6]})
		}
		line += strings.Count(block, "\n") + 2
	}
	return all
}

// inNoLecture are the public packages of mlkit that no lecture imports, and why.
var inNoLecture = map[string]string{
	"mlkit/mlkittest":        "it tests learners, and is no learner",
	"mlkit/modelfile/libsvm": "its files are for other programs; internal/bench/peer compares the models there",
}

// A mutation that does not fit its file any more would break nothing, and a package
// without enough of them could be wrong in every lecture.
func TestMutationTable(t *testing.T) {
	imports, cells := map[string]map[string]bool{}, map[string]map[string]bool{}
	used := map[string]bool{}
	for file, nb := range notebooks(t) {
		lecture := strings.TrimSuffix(file, ".ipynb")
		imports[lecture], cells[lecture] = map[string]bool{}, map[string]bool{}
		for _, c := range nb.Cells {
			if c.Type != "code" {
				continue
			}
			needs, _ := c.Setting("needs")
			cells[lecture][c.ID] = needs == nil
			for _, found := range importOfMlkit.FindAllStringSubmatch(c.Source, -1) {
				imports[lecture][found[1]], used[found[1]] = true, true
			}
		}
	}
	count := map[string]int{}
	for _, m := range readMutations(t) {
		count[m.pkg()]++
		source, err := os.ReadFile(filepath.Join("..", m.file))
		if err != nil {
			t.Errorf("mutations.txt:%d: %v", m.line, err)
			continue
		}
		if n := strings.Count(string(source), m.old); n != 1 {
			t.Errorf("mutations.txt:%d: the old text is %d times in %s, want once", m.line, n, m.file)
		} else if _, _, err := mutate(string(source), map[int]mutation{1: m}); err != nil {
			t.Error(err)
		}
		if m.old == m.new {
			t.Errorf("mutations.txt:%d: nothing changes", m.line)
		}
		if !imports[m.lecture][m.pkg()] {
			t.Errorf("mutations.txt:%d: %s does not import %s", m.line, m.lecture, m.pkg())
		}
		if !cells[m.lecture][m.cell] {
			t.Errorf("mutations.txt:%d: %s has no code cell %s that runs without MNIST", m.line, m.lecture, m.cell)
		}
	}
	for pkg := range used {
		if count[pkg] < 10 {
			t.Errorf("%s has %d mutations, want at least 10", pkg, count[pkg])
		}
	}
	var unused []string
	for _, pkg := range publicPackages(t) {
		if !used[pkg] {
			unused = append(unused, pkg)
		}
	}
	if named := slices.Sorted(maps.Keys(inNoLecture)); !slices.Equal(unused, named) {
		t.Errorf("no lecture imports %q, want the packages of inNoLecture: %q", unused, named)
	}
}

var importOfMlkit = regexp.MustCompile(`(?m)^\s*(?:\w+ )?"marginalia/(mlkit[^"]*)"`)

// publicPackages returns the packages of mlkit that a lecture can import, sorted.
func publicPackages(t *testing.T) []string {
	var public []string
	err := filepath.WalkDir("../mlkit", func(file string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() && (entry.Name() == "internal" || entry.Name() == "testdata") {
			return filepath.SkipDir
		}
		if strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go") {
			public = append(public, strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(public)
	return slices.Compact(public)
}
