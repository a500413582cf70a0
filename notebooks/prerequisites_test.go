package notebooks

import (
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"marginalia/internal/notebook/nbformat"
	"marginalia/plotting"
)

// An arrow goes from a lecture to one that needs it. numbers are those of the sections of the
// latter that name a section of the former; first says that section 1 is one of them.
type arrow struct {
	from, to string
	numbers  []string
	first    bool
}

// arrows returns what the lectures need of one another, in their order.
func (c course) arrows() (arrows []arrow) {
	for k, s := range c.sections {
		for _, j := range c.needs[k] {
			from := c.sections[j].file
			if from == s.file {
				continue
			}
			i := slices.IndexFunc(arrows, func(a arrow) bool { return a.from == from && a.to == s.file })
			if i < 0 {
				i, arrows = len(arrows), append(arrows, arrow{from: from, to: s.file})
			}
			if a := &arrows[i]; !slices.Contains(a.numbers, s.number) {
				a.numbers, a.first = append(a.numbers, s.number), a.first || k == c.of(s.file)[0]
			}
		}
	}
	return arrows
}

// prerequisitesCell makes the cell of the index that shows which lecture needs which, in a picture
// and in words.
func prerequisitesCell(t *testing.T, c course, titles map[string]string) *nbformat.Cell {
	const picture = "prerequisites.png"
	arrows := c.arrows()
	var b strings.Builder
	fmt.Fprintf(&b, `## What needs what

![An arrow leads from each lecture to those that need it. The list below says the same.](attachment:%s)

A solid arrow on the left leads from a lecture to one whose first section needs it; later ones may need it too. A dashed arrow on the right leads to a lecture whose first section does not need it, but later ones do; their numbers stand on the arrow. In words, with 01.2 for section 2 of lecture 01:
`, picture)
	for _, file := range lectures(t) {
		if file == index {
			continue
		}
		fmt.Fprintf(&b, "\n- **%s [%s](%s)**: ", file[:2], titles[file], file)
		var needs []string
		for _, k := range c.of(file) {
			if s, named := c.sections[k], c.links(k, false); named != "" {
				needs = append(needs, fmt.Sprintf("[section %s](%s) needs %s", s.number, s.link(), named))
			}
		}
		if needs == nil {
			needs = []string{"no section needs another lecture"}
		}
		fmt.Fprintf(&b, "%s.", strings.Join(needs, "; "))
	}
	b.WriteString("\n\nThe shortest paths:\n")
	for _, key := range []string{"03-logistic#Forget the clouds", "04-margins#Slack", "05-kernels#Support vector machines with kernels"} {
		fmt.Fprintf(&b, "\n- %s", c.shortest(c.at(t, key)))
	}
	figure := picturePrerequisites(lectures(t)[1:], titles, arrows).PNG(2 * 96)
	return &nbformat.Cell{ID: "prerequisites", Type: "markdown", Metadata: map[string]any{}, Source: b.String(),
		Attachments: map[string]any{picture: map[string]any{"image/png": base64.StdEncoding.EncodeToString(figure)}}}
}

// needsCell makes the cell of a lecture that says which sections its own need.
func needsCell(c course, file string) *nbformat.Cell {
	var b strings.Builder
	b.WriteString("**Sections**\n\n| section | needs |\n| --- | --- |\n")
	needed := map[int]bool{}
	of := c.of(file)
	for _, k := range of {
		s := c.sections[k]
		fmt.Fprintf(&b, "| [%s](%s)%s | %s |\n", s.title(), s.link(), marked(s), c.links(k, true))
		for _, j := range c.needs[k] {
			needed[j] = true
		}
	}
	var sections []lectureSection
	for _, k := range of {
		sections = append(sections, c.sections[k])
	}
	var free []string
	for _, k := range of[:len(of)-1] { // no section comes after the last
		if !needed[k] {
			free = append(free, c.sections[k].number)
		}
	}
	b.WriteString("\n01.4 is section 4 of lecture 01.")
	switch len(free) {
	case 0:
	case len(of) - 1:
		b.WriteString(" The sections do not need each other.")
	default:
		fmt.Fprintf(&b, " No later section of this lecture needs section %s.", strings.Join(free, " or "))
	}
	var more []string
	for _, heading := range moreOf(sections) {
		more = append(more, fmt.Sprintf("[%s](%s#cell-id=%s)", headingLine.FindStringSubmatch(heading.Source)[2], file, heading.ID))
	}
	fmt.Fprintf(&b, "\n\n**An hour**: %s", minutesOf(sections))
	if more != nil {
		fmt.Fprintf(&b, ": %s. The slides leave these parts out", series(more))
	}
	b.WriteString(".")
	return &nbformat.Cell{ID: "needs", Type: "markdown", Source: b.String()}
}

// links returns links to the sections that section k names. Those of k's own lecture are left out
// unless own is true.
func (c course) links(k int, own bool) string {
	var list []string
	for _, j := range c.needs[k] {
		switch s := c.sections[j]; {
		case s.file != c.sections[k].file:
			list = append(list, fmt.Sprintf("[%s.%s](%s)", s.file[:2], s.number, s.link()))
		case own:
			list = append(list, fmt.Sprintf("[%s](%s)", s.number, s.link()))
		}
	}
	if own {
		return strings.Join(list, "; ")
	}
	return series(list)
}

// shortest says which sections lead to section k.
func (c course) shortest(k int) string {
	numbers := map[string][]int{}
	for _, j := range append(c.before(k), k) {
		s := c.sections[j]
		n, _ := strconv.Atoi(s.number) // a heading's number is one
		numbers[s.file] = append(numbers[s.file], n)
	}
	var steps []string
	for _, file := range slices.Sorted(maps.Keys(numbers)) {
		steps = append(steps, fmt.Sprintf("[%s](%s): %s", file[:2], file, ranges(numbers[file])))
	}
	s := c.sections[k]
	return fmt.Sprintf("to *%s* (%s.%s): sections %s.", s.name, s.file[:2], s.number, strings.Join(steps, "; "))
}

// ranges returns rising numbers as in "1 to 3 and 5".
func ranges(numbers []int) string {
	var list []string
	for i := 0; i < len(numbers); {
		from := i
		for i++; i < len(numbers) && numbers[i] == numbers[i-1]+1; i++ {
		}
		if i-from > 2 {
			list = append(list, fmt.Sprintf("%d to %d", numbers[from], numbers[i-1]))
			continue
		}
		for _, n := range numbers[from:i] {
			list = append(list, fmt.Sprint(n))
		}
	}
	return series(list)
}

func TestRanges(t *testing.T) {
	t.Parallel()
	for want, numbers := range map[string][]int{"": {}, "4": {4}, "1 and 2": {1, 2}, "1 to 3, 5 and 6": {1, 2, 3, 5, 6}, "2, 4 and 6 to 8": {2, 4, 6, 7, 8}} {
		if got := ranges(numbers); got != want {
			t.Errorf("%v: %q, want %q", numbers, got, want)
		}
	}
}

// series joins words as in "1, 2 and 5".
func series(words []string) string {
	if n := len(words) - 1; n > 0 {
		return strings.Join(words[:n], ", ") + " and " + words[n]
	}
	return strings.Join(words, "")
}

// picturePrerequisites draws the lectures below one another, with an arrow on the left where the
// first section of a lecture needs another lecture, and one on the right, with numbers, where
// later sections do. An arrow on the left is left out if others there lead to the same lecture.
func picturePrerequisites(files []string, titles map[string]string, arrows []arrow) *plotting.Figure {
	const width, half = 7.6, 0.3 // of a box
	arrows = slices.DeleteFunc(slices.Clone(arrows), func(a arrow) bool { return a.first && implied(a, arrows) })
	row := func(file string) int { return slices.Index(files, file) }
	span := func(a arrow) int { return row(a.to) - row(a.from) }
	// Arrows with one lecture in common lie within one another: the longest leaves above the others
	// and arrives below them.
	rank := func(of arrow, same func(a arrow) bool) float64 {
		longer := 0
		for _, a := range arrows {
			if a.first == of.first && same(a) && span(a) > span(of) {
				longer++
			}
		}
		return float64(longer)
	}
	f := plotting.New("")
	var numbers []plotting.Layer // on top of the lines
	for _, a := range arrows {
		colour := plotting.Color(plotting.Blue)
		side, x, look := -1.0, 0.0, []plotting.LineStyle{colour, plotting.Width(1.3)}
		if !a.first {
			colour = plotting.Color(plotting.Vermilion)
			side, x, look = 1, width, []plotting.LineStyle{colour, plotting.Width(1.1), plotting.Dashed()}
		}
		y0 := -float64(row(a.from)) - 0.06 - 0.05*rank(a, func(b arrow) bool { return b.from == a.from })
		y1 := -float64(row(a.to)) - 0.02 + 0.05*rank(a, func(b arrow) bool { return b.to == a.to })
		reach := 0.3 + 0.42*float64(span(a))
		var xs, ys []float64
		const n = 40
		for i := range n + 1 {
			sin, cos := math.Sincos(math.Pi * float64(i) / n)
			xs, ys = append(xs, x+side*reach*sin), append(ys, (y0+y1)/2+(y0-y1)/2*cos)
		}
		tip := []float64{x + side*0.16, x, x + side*0.16}
		f.With(plotting.Line(xs, ys, look...), plotting.Line(tip, []float64{y1 + 0.05, y1, y1 - 0.05}, look[:2]...))
		if !a.first {
			numbers = append(numbers, plotting.Note(x+side*reach, (y0+y1)/2, strings.Join(a.numbers, ", "), plotting.Size(9), colour))
		}
	}
	f.With(numbers...)
	for _, file := range files {
		y := -float64(row(file))
		f.With(plotting.Line([]float64{0, width, width, 0, 0}, []float64{y - half, y - half, y + half, y + half, y - half}, plotting.Color(plotting.Black), plotting.Width(0.8)),
			plotting.Note(width/2, y, file[:2]+"  "+titles[file], plotting.Size(9)))
	}
	n := float64(len(files))
	return f.Range(-0.42*n-0.1, width+0.42*n+0.1, -n+0.5, 0.5).NoTicks().Size(7*vg.Inch, 4.4*vg.Inch)
}

// implied reports whether arrows of other first sections lead from a.from to a.to.
func implied(a arrow, arrows []arrow) bool {
	var leads func(from string) bool
	leads = func(from string) bool {
		return slices.ContainsFunc(arrows, func(b arrow) bool {
			return b.first && b.from == from && (b.from != a.from || b.to != a.to) && (b.to == a.to || leads(b.to))
		})
	}
	return leads(a.from)
}

func TestImplied(t *testing.T) {
	t.Parallel()
	arrows := []arrow{{from: "1", to: "2", first: true}, {from: "2", to: "3", first: true}, {from: "1", to: "3", first: true}, {from: "1", to: "4"}, {from: "3", to: "4", first: true}}
	for i, want := range []bool{false, false, true, true, false} {
		if got := implied(arrows[i], arrows); got != want {
			t.Errorf("from %s to %s: %v, want %v", arrows[i].from, arrows[i].to, got, want)
		}
	}
}
