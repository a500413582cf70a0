package build_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/property"
	"marginalia/internal/testkit/tier"
)

// A model is the state of a tree that random edits change. Its packages and modules come and go.
type model struct {
	t     *rapid.T
	w     *workshop
	tests bool // instead of a main function
	// imports are those of the program.
	imports map[string]bool
	// next is a number that no file has had.
	next int
}

// The program may import these, whether they are there or not.
var paths = []string{"example.org/prog/a", "example.org/prog/a/b", "example.org/prog/words", "example.org/one", "example.org/one/sub", "example.org/two"}

// homes are the folders that may hold a module.
var homes = map[string][]string{"example.org/one": {"one1", "one2"}, "example.org/two": {"two1", "two2"}}

func (m *model) number() int { m.next++; return m.next }

func (m *model) draw(label string, from ...string) string {
	return rapid.SampledFrom(from).Draw(m.t, label)
}

// source is a package with a value that no other source has. It may import another package.
func (m *model) source(name string, imports ...string) string {
	text := "package " + name + "\n\n"
	for _, p := range imports {
		text += "import " + fmt.Sprintf("%q", p) + "\n"
	}
	value := fmt.Sprint(m.number())
	for _, p := range imports {
		value += " + " + path.Base(p) + ".Value()"
	}
	return text + "\nfunc Value() int { return " + value + " }\n"
}

// start makes the tree at first.
func (m *model) start() {
	m.w.writeAll(files{"prog/go.mod": module(""), "prog/a/a.go": m.source("a"), "prog/a/b/b.go": m.source("b"),
		"prog/words/words.go":    strings.ReplaceAll(strings.ReplaceAll(words, "Value() string", "Value() int"), "return one", "return len(one)"),
		"prog/words/one.txt":     "one",
		"prog/words/many/01.txt": "",
	})
	for module, dirs := range homes {
		for _, dir := range dirs {
			m.w.write(dir+"/go.mod", goMod(module))
			m.w.write(dir+"/x.go", m.source(path.Base(module)))
		}
	}
	m.imports = map[string]bool{"example.org/prog/a": true}
	m.program()
}

// program writes the program.
func (m *model) program() {
	text := calls(slices.Sorted(maps.Keys(m.imports))...) + fmt.Sprintf("\nfunc init() { println(%d) }\n", m.number())
	if m.tests {
		text = strings.Replace(strings.Replace(text, "\n\n", "\n\nimport \"testing\"\n", 1), "main()", "TestMade(*testing.T)", 1)
		m.w.write("prog/main_test.go", text)
		return
	}
	m.w.write("prog/main.go", text)
}

// edits are the steps. Each makes one edit, which a student or a lecture's author could.
var edits = []struct {
	name string
	make func(m *model)
}{
	{"the program", (*model).program},
	{"imports of the program", func(m *model) {
		p := m.draw("import", paths...)
		if m.imports[p] = !m.imports[p]; !m.imports[p] {
			delete(m.imports, p)
		}
		m.program()
	}},
	{"a file of the program", func(m *model) {
		if m.tests { // have one file
			m.program()
			return
		}
		m.toggle("prog/more.go", fmt.Sprintf("package main\n\nfunc init() { println(%d) }\n", m.number()))
	}},
	{"a package beside", func(m *model) {
		if p := m.draw("import", "", "example.org/prog/a/b", "example.org/one"); p == "" {
			m.w.write("prog/a/a.go", m.source("a"))
		} else {
			m.w.write("prog/a/a.go", m.source("a", p))
		}
	}},
	{"a package below", func(m *model) { m.w.write("prog/a/b/b.go", m.source("b")) }},
	{"a file of a package", func(m *model) {
		m.toggle("prog/a/more.go", fmt.Sprintf("package a\n\nfunc init() { println(%d) }\n", m.number()))
	}},
	{"a broken file of a package", func(m *model) { m.toggle("prog/a/broken.go", "package\n") }},
	{"a file that is not compiled", func(m *model) { m.toggle("prog/a/a_plan9.go", "package a\n") }},
	{"a module between", func(m *model) { m.toggle("prog/a/go.mod", goMod("example.org/prog/a")) }},
	{"an embedded file", func(m *model) {
		m.w.write("prog/words/one.txt", strings.Repeat("x", m.number()))
	}},
	{"a file that is embedded", func(m *model) {
		m.toggle(m.draw("name", "prog/words/many/01.txt", "prog/words/many/02.txt", "prog/words/many/sub/03.txt", "prog/words/many/.04.txt"), strings.Repeat("x", m.number()))
	}},
	{"a requirement", func(m *model) {
		name := m.draw("module", slices.Sorted(maps.Keys(homes))...)
		dir := m.draw("folder", append([]string{""}, homes[name]...)...)
		text := must.Get(os.ReadFile(m.w.path("prog/go.mod"))).Or(m.t)
		var lines []string
		for line := range strings.Lines(string(text)) {
			if !strings.Contains(line, name) {
				lines = append(lines, line)
			}
		}
		if dir != "" {
			lines = append(lines, "require "+name+" v1.0.0\n", "replace "+name+" => ../"+dir+"\n")
		}
		m.w.write("prog/go.mod", strings.Join(lines, ""))
	}},
	{"a workspace", func(m *model) {
		if m.draw("workspace", "none", "some", "some") == "none" {
			m.w.remove("go.work")
			return
		}
		text := "go 1.26.0\n\nuse ./prog\n"
		for _, name := range slices.Sorted(maps.Keys(homes)) {
			if dir := m.draw("folder", append([]string{""}, homes[name]...)...); dir != "" {
				text += m.draw("way", "use ./"+dir, "replace "+name+" => ./"+dir) + "\n"
			}
		}
		m.w.write("go.work", text)
	}},
	{"a package of a module", func(m *model) {
		name := m.draw("module", slices.Sorted(maps.Keys(homes))...)
		m.w.write(m.draw("folder", homes[name]...)+"/x.go", m.source(path.Base(name)))
	}},
	{"a further package of a module", func(m *model) { m.toggle(m.draw("folder", homes["example.org/one"]...)+"/sub/sub.go", m.source("sub")) }},
	{"the folders of a module", func(m *model) {
		dirs := homes[m.draw("module", slices.Sorted(maps.Keys(homes))...)]
		m.w.rename(dirs[0], "swap")
		m.w.rename(dirs[1], dirs[0])
		m.w.rename("swap", dirs[1])
	}},
	{"the language of a module", func(m *model) {
		dir := m.draw("folder", "one1", "two2")
		m.w.write(dir+"/go.mod", strings.Replace(goMod("example.org/"+dir[:3]), "1.26.0", m.draw("language", "1.20", "1.26.0", "1.99"), 1))
	}},
}

// toggle writes a file, or removes it if it is there.
func (m *model) toggle(name, text string) {
	if _, err := os.Lstat(m.w.path(name)); err == nil {
		m.w.remove(name)
	} else {
		m.w.write(name, text)
	}
}

// step makes an edit, and builds. The program prints what go build's prints, or Build says false and
// the Builder learns.
func (m *model) step() (built bool) {
	e := rapid.SampledFrom(edits).Draw(m.t, "edit")
	e.make(m)
	m.w.remove("prog/program")
	file, err := m.w.goBuilds()
	c := m.w.command()
	if m.w.builder.Build(m.t.Context(), c) {
		if err != nil {
			m.t.Fatalf("after an edit of %s Build says true, go build fails: %v", e.name, err)
		}
		m.same("an edit of "+e.name, file)
		return true
	}
	if err != nil {
		return false
	}
	// It may come to know more than the program imports. What is not there stays unknown.
	must.Do(m.t, m.w.builder.Learn(m.t.Context(), c, "example.org/prog/a", "example.org/one", "example.org/two"))
	if !m.w.builder.Build(m.t.Context(), c) {
		m.t.Fatalf("after an edit of %s Build says false after Learn", e.name)
	}
	m.same("an edit of "+e.name+" and Learn", file)
	return false
}

// same holds the program to that of go build, in a file: what it prints, and its bytes.
func (m *model) same(after, file string) {
	ours, _ := exec.Command(m.w.target).CombinedOutput()
	theirs, _ := exec.Command(file).CombinedOutput()
	if string(ours) != string(theirs) {
		m.t.Fatalf("after %s the program prints\n%s\nthat of go build\n%s", after, ours, theirs)
	}
	if string(must.Get(os.ReadFile(m.w.target)).Or(m.t)) != string(must.Get(os.ReadFile(file)).Or(m.t)) {
		m.t.Fatalf("after %s the program prints what go build's does, but is another", after)
	}
}

// edit makes random edits, at first some without building, and then some steps. The seed, and so the
// edits, are property's, which does this five times, and a hundred times in the tier long.
func edit(t *testing.T, steps int) {
	built, all := 0, 0
	property.Check(t, func(rt *rapid.T) {
		m := &model{t: rt, w: newWorkshop(t, nil), tests: rapid.Bool().Draw(rt, "tests")}
		if m.tests {
			m.w.verb = []string{"test", "-c"}
		}
		m.start()
		for range rapid.IntRange(0, 5).Draw(rt, "edits before") {
			rapid.SampledFrom(edits).Draw(rt, "edit").make(m)
		}
		for range steps {
			if all++; m.step() {
				built++
			}
		}
	})
	if t.Logf("Build says true after %d of %d edits", built, all); built == 0 {
		t.Error("Build never says true")
	}
}

// If it failed, a program would be built from what is no longer there, after edits in an order that
// nobody has thought of.
func TestEdits(t *testing.T) {
	if tier.IsLong(t) {
		t.Skip("TestEditsLong makes more edits")
	}
	t.Parallel()
	edit(t, 2)
}

func TestEditsLong(t *testing.T) {
	tier.Long(t)
	edit(t, 5)
}
