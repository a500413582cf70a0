package notebooks

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
)

// A lectureSection is a section of a lecture with a number: the Markdown cell that begins with
// "## 4. Why it stops", and the cells up to the next section.
type lectureSection struct {
	file, number, name string
	cells              []*nbformat.Cell
}

// key returns how other sections name s: "01-perceptron#Why it stops".
func (s lectureSection) key() string { return lectureName(s.file) + "#" + s.name }

func lectureName(file string) string { return strings.TrimSuffix(file, ".ipynb") }

// title returns the heading as it stands.
func (s lectureSection) title() string { return s.number + ". " + s.name }

// link returns the address of the section. JupyterLab does not follow one without a file.
func (s lectureSection) link() string { return s.file + "#cell-id=" + s.cells[0].ID }

var sectionHeading = regexp.MustCompile(`^## (?:(\d+)\. )?([^\n]+)`)

// outline returns the sections of a lecture in their order.
func outline(file string, nb *nbformat.Notebook) (sections []lectureSection) {
	within := false
	for _, c := range nb.Cells {
		if m := sectionHeading.FindStringSubmatch(c.Source); c.Type == "markdown" && m != nil {
			if within = m[1] != ""; within {
				sections = append(sections, lectureSection{file: file, number: m[1], name: m[2]})
			}
		}
		if within {
			last := &sections[len(sections)-1]
			last.cells = append(last.cells, c)
		}
	}
	return sections
}

// A course is the sections of all lectures in their order. needs has, for each section, the places
// of those that metadata.marginalia.after of its heading names.
type course struct {
	sections []lectureSection
	needs    [][]int
}

// readCourse reads the lectures, and reports what is wrong with what their sections name.
func readCourse(t *testing.T) course {
	t.Helper()
	var sections []lectureSection
	for file, nb := range notebooks(t) {
		sections = append(sections, outline(file, nb)...)
	}
	c, faults := newCourse(sections)
	for _, fault := range faults {
		t.Error(fault)
	}
	return c
}

// newCourse finds what each section names, and what is wrong with it. A name that begins with # is
// one of the same lecture. A section comes after what it needs, so there are no cycles. It does not
// name what another section that it names needs already.
func newCourse(sections []lectureSection) (c course, faults []string) {
	c.sections, c.needs = sections, make([][]int, len(sections))
	for k, s := range sections {
		fault := func(format string, args ...any) {
			faults = append(faults, fmt.Sprintf("%s, cell %s: metadata.marginalia.after ", s.file, s.cells[0].ID)+fmt.Sprintf(format, args...))
		}
		v, _ := s.cells[0].Setting("after")
		list, ok := v.([]any)
		if v != nil && !ok {
			fault("= %v, want a list", v)
		}
		for _, name := range list {
			key := fmt.Sprint(name)
			if strings.HasPrefix(key, "#") {
				key = lectureName(s.file) + key
			}
			switch j := slices.IndexFunc(sections, func(s lectureSection) bool { return s.key() == key }); {
			case j < 0:
				fault("names %q, which is no section", key)
			case j >= k:
				fault("names %q, which does not come before it", key)
			case slices.Contains(c.needs[k], j):
				fault("names %q twice", key)
			default:
				c.needs[k] = append(c.needs[k], j)
			}
		}
		slices.Sort(c.needs[k])
		for _, j := range c.needs[k] {
			for _, through := range c.needs[k] {
				if slices.Contains(c.before(through), j) {
					fault("names %q, which %q needs already", sections[j].key(), sections[through].key())
				}
			}
		}
	}
	return c, faults
}

// before returns what the section at place k needs, itself or through others, in order.
func (c course) before(k int) (places []int) {
	needed := make([]bool, len(c.sections))
	var mark func(k int)
	mark = func(k int) {
		for _, j := range c.needs[k] {
			if !needed[j] {
				needed[j] = true
				mark(j)
			}
		}
	}
	mark(k)
	for j, yes := range needed {
		if yes {
			places = append(places, j)
		}
	}
	return places
}

// at returns the place of a section, by its key.
func (c course) at(t *testing.T, key string) int {
	t.Helper()
	k := slices.IndexFunc(c.sections, func(s lectureSection) bool { return s.key() == key })
	if k < 0 {
		t.Fatalf("there is no section %q", key)
	}
	return k
}

// of returns the places of a lecture's sections.
func (c course) of(file string) (places []int) {
	for k, s := range c.sections {
		if s.file == file {
			places = append(places, k)
		}
	}
	return places
}

// Each section names what it needs by names that exist, in the order of the lectures and without
// repetition (readCourse), and the names of a lecture's sections differ.
func TestPrerequisites(t *testing.T) {
	t.Parallel()
	c := readCourse(t)
	if len(c.sections) < 50 { // the nine lectures had 55 when this was written
		t.Errorf("%d sections found", len(c.sections))
	}
	for k, s := range c.sections {
		if j := slices.IndexFunc(c.sections, func(o lectureSection) bool { return o.key() == s.key() }); j != k {
			t.Errorf("%s has two sections %q", s.file, s.name)
		}
	}
}

func TestNewCourse(t *testing.T) {
	t.Parallel()
	made := func(name string, after ...any) lectureSection {
		file, name, _ := strings.Cut(name, "#")
		return lectureSection{file + ".ipynb", "1", name, []*nbformat.Cell{{ID: strings.ToLower(name), Type: "markdown",
			Metadata: map[string]any{"marginalia": map[string]any{"after": after}}}}}
	}
	c, faults := newCourse([]lectureSection{made("01#A"), made("01#B", "#A"), made("02#A", "01#B")})
	if len(faults) > 0 || fmt.Sprint(c.needs) != "[[] [0] [1]]" || fmt.Sprint(c.before(2)) != "[0 1]" {
		t.Errorf("needs %v, the last after %v, faults %q; want [[] [0] [1]], [0 1] and none", c.needs, c.before(2), faults)
	}
	for want, sections := range map[string][]lectureSection{
		`names "01#C", which is no section`:             {made("01#A"), made("01#B", "#C")},
		`names "02#B", which is no section`:             {made("01#B"), made("02#A", "#B")},
		`names "01#B", which does not come before it`:   {made("01#A", "#B"), made("01#B", "#A")}, // a cycle
		`names "01#A", which does not come before it`:   {made("01#A", "#A")},
		`names "02#A", which does not come before it`:   {made("01#A", "02#A"), made("02#A")},
		`names "01#A" twice`:                            {made("01#A"), made("01#B", "#A", "01#A")},
		`names "01#A", which "01#B" needs already`:      {made("01#A"), made("01#B", "#A"), made("01#C", "#A", "#B")},
		`metadata.marginalia.after = 01#A, want a list`: {made("01#A"), {"01.ipynb", "2", "B", []*nbformat.Cell{{Metadata: map[string]any{"marginalia": map[string]any{"after": "01#A"}}}}}},
	} {
		if _, faults := newCourse(sections); len(faults) != 1 || !strings.HasSuffix(faults[0], want) {
			t.Errorf("faults %q, want one that ends in %q", faults, want)
		}
	}
}
