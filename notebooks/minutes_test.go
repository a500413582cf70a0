package notebooks

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
)

// The tag more of a heading's cell marks a part that an hour leaves out: the cells up to the next
// heading of its level or a higher one. The rest of a lecture is its core.
const (
	moreTag  = "more"
	moreLine = "*More: you can leave this out. Run its cells all the same.*"
)

var headingLine = regexp.MustCompile(`^(#+) ([^\n]+)`)

// levelOf returns the number of # of the heading that a cell begins with, 0 if it has none.
func levelOf(c *nbformat.Cell) int {
	if m := headingLine.FindStringSubmatch(c.Source); c.Type == "markdown" && m != nil {
		return len(m[1])
	}
	return 0
}

// inMore returns, for each cell, the heading of the outermost marked part that it is in, or nil.
func inMore(cells []*nbformat.Cell) []*nbformat.Cell {
	parts, part := make([]*nbformat.Cell, len(cells)), (*nbformat.Cell)(nil)
	for i, c := range cells {
		if level := levelOf(c); level > 0 && part != nil && level <= levelOf(part) {
			part = nil
		}
		if part == nil && levelOf(c) > 0 && c.HasTag(moreTag) {
			part = c
		}
		parts[i] = part
	}
	return parts
}

// coreOf returns the cells of a lecture's sections that are not marked.
func coreOf(sections []lectureSection) (cells []*nbformat.Cell) {
	all := cellsOf(sections)
	for i, part := range inMore(all) {
		if part == nil {
			cells = append(cells, all[i])
		}
	}
	return cells
}

func cellsOf(sections []lectureSection) (cells []*nbformat.Cell) {
	for _, s := range sections {
		cells = append(cells, s.cells...)
	}
	return cells
}

// moreOf returns the headings of the marked parts.
func moreOf(sections []lectureSection) (headings []*nbformat.Cell) {
	cells := cellsOf(sections)
	for i, part := range inMore(cells) {
		if part == cells[i] {
			headings = append(headings, part)
		}
	}
	return headings
}

// marked says that a section is marked.
func marked(s lectureSection) string {
	if s.cells[0].HasTag(moreTag) {
		return ", *more*"
	}
	return ""
}

// How fast people read.
const (
	wordsRead    = 238.0 // a minute, silently, of non-fiction in English: M. Brysbaert, How many words do we read per minute?, 2019
	linesRead    = 20.0  // of code a minute; a guess
	figureLooked = 0.5   // minutes; a guess
)

const howMinutes = "238 words a minute (M. Brysbaert, How many words do we read per minute?, 2019), where each letter, number and sign of a formula is a word, and two guesses: 20 lines of code a minute, half a minute for a figure. Folded cells, summaries and exercises do not count."

// minutes returns how long a reader takes.
func minutes(cells []*nbformat.Cell) int {
	sum := 0.0
	for _, c := range cells {
		if c.Type == "markdown" {
			sum += float64(words(c.Source)) / wordsRead
			continue
		}
		for line := range strings.Lines(c.Source) {
			if !isFolded(c) && strings.TrimSpace(line) != "" {
				sum += 1 / linesRead
			}
		}
		for _, o := range c.Outputs {
			if o.Metadata["figure"] != nil {
				sum += figureLooked
			}
		}
	}
	return int(math.Round(sum))
}

// minutesOf says how long a lecture takes: "54 minutes to read, 95 with what is marked as more".
func minutesOf(sections []lectureSection) string {
	core, all := minutes(coreOf(sections)), minutes(cellsOf(sections))
	if core == all {
		return fmt.Sprintf("%d minutes to read", core)
	}
	return fmt.Sprintf("%d minutes to read, %d with what is marked as *more*", core, all)
}

var (
	formula  = regexp.MustCompile(`(?s)\$\$.*?\$\$|\$[^$]*\$`)
	unspoken = regexp.MustCompile(`</?\w+>|\]\([^)]*\)|(?m)^#+ .*$`) // of Markdown
	word     = regexp.MustCompile(`[\p{L}\p{N}]+(?:['’.\-][\p{L}\p{N}]+)*`)
	texMarks = regexp.MustCompile(`\\(?:begin|end)\{\w+\}|\\(?:left|right|[bB]igg?[lr]?|q?quad|underbrace|boxed|math\w+|[lr]Vert|[lr]vert|[tdc]?frac)\b|\\[^A-Za-z]`)
	inWords  = regexp.MustCompile(`\\(?:text|operatorname)\{([^}]*)\}`)
	symbol   = regexp.MustCompile(`\\[A-Za-z]+|\d+(?:\.\d+)?|[A-Za-z]|[-+=<>*/|]`)
)

// words counts the words of a Markdown source. Each letter, number and sign of a formula is
// one, as when it is read aloud.
func words(source string) (n int) {
	prose := formula.ReplaceAllStringFunc(source, func(tex string) string {
		said := ""
		for _, m := range inWords.FindAllStringSubmatch(tex, -1) {
			said += " " + m[1]
		}
		n += len(symbol.FindAllString(texMarks.ReplaceAllString(inWords.ReplaceAllString(tex, " "), " "), -1))
		return said + " "
	})
	return n + len(word.FindAllString(unspoken.ReplaceAllString(prose, " "), -1))
}

func TestWords(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]int{
		"## 2. A heading\n\nTwo words, [a link](01-perceptron.ipynb#cell-id=score).": 4,
		"the score $w \\cdot x + b$ isn't 0.5":                                       9, // w dot x plus b
		"$$ \\begin{pmatrix} 1 \\\\ 2 \\end{pmatrix}\\;\\text{for all } i $$":        5,
		"$\\operatorname{dist}(x) = \\frac{1}{\\lVert w\\rVert}$":                    5, // dist x is 1 w
		"<details><summary>Answer</summary>\n\nYes, all five of them.\n</details>":   6,
	} {
		if got := words(source); got != want {
			t.Errorf("%q has %d words, want %d", source, got, want)
		}
	}
}

// The core of a lecture fits an hour. Its sections need only sections of a core, except those of
// the errata, which are notes on all of them. A marked part says what it is.
func TestCore(t *testing.T) {
	t.Parallel()
	c := readCourse(t)
	for file := range notebooks(t) {
		var sections []lectureSection
		for _, k := range c.of(file) {
			sections = append(sections, c.sections[k])
			for _, j := range c.needs[k] {
				if s := c.sections[j]; s.cells[0].HasTag(moreTag) && !c.sections[k].cells[0].HasTag(moreTag) && file != "09-errata.ipynb" {
					t.Errorf("%s, section %s needs %s, which an hour leaves out", file, c.sections[k].number, s.key())
				}
			}
		}
		if m := minutes(coreOf(sections)); m < 20 || m > 60 {
			t.Errorf("%s: its core takes %d minutes to read, want 20 to 60: mark parts with the tag %s", file, m, moreTag)
		}
		for _, cell := range cellsOf(sections) {
			if said := strings.Contains(cell.Source, "\n\n"+moreLine+"\n"); said != cell.HasTag(moreTag) || cell.HasTag(moreTag) && levelOf(cell) == 0 {
				t.Errorf("%s, cell %s: has the tag %s is %v, says %q is %v, want both or none, in a cell with a heading", file, cell.ID, moreTag, cell.HasTag(moreTag), moreLine, said)
			}
		}
	}
}

func TestInMore(t *testing.T) {
	t.Parallel()
	tags := func(tags ...any) map[string]any { return map[string]any{"tags": tags} }
	cells := []*nbformat.Cell{
		{ID: "a", Type: "markdown", Source: "## 1. A"},
		{ID: "b", Type: "markdown", Source: "### B\n\ntext", Metadata: tags("more")},
		{ID: "c", Type: "code", Source: "# no heading"},
		{ID: "d", Type: "markdown", Source: "### D"},
		{ID: "e", Type: "markdown", Source: "## 2. E", Metadata: tags("more")},
		{ID: "f", Type: "markdown", Source: "### F", Metadata: tags("more")},
		{ID: "g", Type: "markdown", Source: "## 3. G"},
	}
	got := ""
	for _, part := range inMore(cells) {
		if part == nil {
			got += "-"
		} else {
			got += part.ID
		}
	}
	if got != "-bb-ee-" {
		t.Errorf("the cells are in the parts %s, want -bb-ee-", got)
	}
}
