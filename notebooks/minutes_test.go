package notebooks

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"marginalia/internal/notebook/nbformat"
)

// The speeds of whoever speaks and reads.
const (
	spokenWords  = 130 // a minute; 125 to 150 are usual: S. E. Lucas, The Art of Public Speaking, 8th edition, 2004, p. 300
	readWords    = 238 // a minute, silently, of non-fiction in English: M. Brysbaert, How many words do we read per minute?, 2019
	linesOfCode  = 20  // a minute; a guess
	figureLooked = 0.5 // minutes; a guess
)

// A load is what there is to say, to read and to look at.
type load struct{ words, lines, figures int }

// minutes returns how long it takes at a number of words a minute, a minute at least.
func (l load) minutes(words float64) int {
	m := float64(l.words)/words + float64(l.lines)/linesOfCode + float64(l.figures)*figureLooked
	return max(1, int(math.Round(m)))
}

// taught returns what the slides of a section show and the speaker's notes say. A slide folds the
// code that draws its figure.
func taught(s lectureSection) (l load) {
	for _, c := range s.cells {
		show, _ := c.Metadata["slideshow"].(map[string]any)
		switch figures := figuresShown(c); {
		case show["slide_type"] == "skip":
		case c.Type == "markdown":
			l.words += words(answer.ReplaceAllString(c.Source, ""))
		case figures > 0:
			l.figures += figures
		default:
			l.lines += codeLines(c)
		}
	}
	return l
}

// alone returns what is there to read, answers included.
func alone(s lectureSection) (l load) {
	for _, c := range s.cells {
		if c.Type == "markdown" {
			l.words += words(c.Source)
			continue
		}
		l.figures += figuresShown(c)
		l.lines += codeLines(c)
	}
	return l
}

// seconds returns how long the cells of a section run.
func seconds(s lectureSection) (sum int) {
	for _, c := range s.cells {
		if c.Type == "code" {
			sum += cmp.Or(slow[lectureName(s.file)+"/"+c.ID], 1)
		}
	}
	return sum
}

// slow has the cells that compute for more than two seconds, with a second for building them. The
// others take about a second, most of it for building. Measured on two cores of an AMD EPYC, as
// processor time, which other programs hardly change, in
//
//	time go run . test --run mnist-svm notebooks/08-digits.ipynb
//
// mnist-svm took 37 s of it, on both cores.
var slow = map[string]int{
	"07-features/eight-mnist": 8,
	"08-digits/choose-both":   4,
	"08-digits/mnist-contest": 4,
	"08-digits/mnist-curve":   5,
	"08-digits/mnist-full":    6,
	"08-digits/mnist-svm":     20,
}

func TestSlow(t *testing.T) {
	t.Parallel()
	left := map[string]bool{}
	for key := range slow {
		left[key] = true
	}
	for file, nb := range notebooks(t) {
		for _, c := range nb.Cells {
			delete(left, lectureName(file)+"/"+c.ID)
		}
	}
	for key := range left {
		t.Errorf("slow has %s, which is no cell", key)
	}
}

func figuresShown(c *nbformat.Cell) (n int) {
	for _, o := range c.Outputs {
		if _, ok := o.Data["image/png"]; ok {
			n++
		}
	}
	return n
}

// codeLines counts the lines that are not blank.
func codeLines(c *nbformat.Cell) (n int) {
	for line := range strings.Lines(c.Source) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}

var (
	answer   = regexp.MustCompile(`(?s)<details>.*?</details>`)
	formula  = regexp.MustCompile(`(?s)\$\$.*?\$\$|\$[^$]*\$`)
	unspoken = regexp.MustCompile(`</?\w+>|\]\([^)]*\)|(?m)^#+ .*$`) // of Markdown
	word     = regexp.MustCompile(`[\p{L}\p{N}]+(?:['’.\-][\p{L}\p{N}]+)*`)
	layout   = regexp.MustCompile(`\\(?:begin|end)\{\w+\}|\\(?:left|right|[bB]igg?[lr]?|q?quad|underbrace|boxed|math\w+|[lr]Vert|[lr]vert|[tdc]?frac)\b|\\[^A-Za-z]`)
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
		n += len(symbol.FindAllString(layout.ReplaceAllString(inWords.ReplaceAllString(tex, " "), " "), -1))
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

func TestLoad(t *testing.T) {
	t.Parallel()
	shown := func(kind string) map[string]any {
		return map[string]any{"slideshow": map[string]any{"slide_type": kind}}
	}
	figure := []nbformat.Output{{Type: "display_data", Data: map[string]any{"image/png": "…"}}}
	s := lectureSection{file: "01.ipynb", cells: []*nbformat.Cell{
		{Type: "markdown", Metadata: shown("slide"), Source: "## 1. Words\n\nthree words here <details>\nno\n</details>"},
		{Type: "markdown", Metadata: shown("skip"), Source: "two more"},
		{Type: "code", Metadata: shown("-"), Source: "%%\n\nfmt.Println(1)\n"},
		{Type: "code", Metadata: shown("subslide"), Source: "%%\nshow()\n", Outputs: figure},
		{Type: "code", Metadata: shown("skip"), Source: "%%\nshow()\n", Outputs: figure},
	}}
	if got, want := taught(s), (load{3, 2, 1}); got != want {
		t.Errorf("the slides ask for %v, want %v", got, want)
	}
	if got, want := alone(s), (load{6, 6, 2}); got != want {
		t.Errorf("a reader has %v, want %v", got, want)
	}
	if got := (load{words: 1300, lines: 40, figures: 4}).minutes(spokenWords); got != 14 { // 10 + 2 + 2
		t.Errorf("%d minutes, want 14", got)
	}
	if got := (load{}).minutes(spokenWords); got != 1 {
		t.Errorf("nothing takes %d minutes, want 1", got)
	}
	if got := seconds(s); got != 3 {
		t.Errorf("the cells run for %d seconds, want 3", got)
	}
}

// A duration is how long a section or a lecture takes.
type duration struct{ slides, alone, seconds int }

func (d duration) add(e duration) duration {
	return duration{d.slides + e.slides, d.alone + e.alone, d.seconds + e.seconds}
}

// String returns three columns of a table.
func (d duration) String() string {
	run := fmt.Sprint(d.seconds, " s")
	if d.seconds > 99 {
		run = fmt.Sprint(int(math.Round(float64(d.seconds)/60)), " min")
	}
	return fmt.Sprintf("%d | %d | %s", d.slides, d.alone, run)
}

func durationOf(s lectureSection) duration {
	return duration{taught(s).minutes(spokenWords), alone(s).minutes(readWords), seconds(s)}
}

// minutesCell makes the cell of a lecture that says how long its sections take and what they need.
func minutesCell(c course, file string) *nbformat.Cell {
	var b strings.Builder
	b.WriteString("**Minutes**\n\n| section | slides | alone | cells | needs |\n| --- | --- | --- | --- | --- |\n")
	var sum duration
	needed := map[int]bool{}
	for _, k := range c.of(file) {
		s := c.sections[k]
		d := durationOf(s)
		sum = sum.add(d)
		fmt.Fprintf(&b, "| [%s](%s) | %v | %s |\n", s.title(), s.link(), d, c.links(k, true))
		for _, j := range c.needs[k] {
			needed[j] = true
		}
	}
	fmt.Fprintf(&b, "| all | %v | |\n\n", sum)
	var free []string
	of := c.of(file)
	for _, k := range of[:len(of)-1] { // no section comes after the last
		if !needed[k] {
			free = append(free, c.sections[k].number)
		}
	}
	b.WriteString("*Slides* is the time to teach a section from the slides, *alone* the time to read all of it, *cells* the time that the kernel runs. Questions and experiments come on top. The last column names the sections that each one needs; 01.4 is section 4 of lecture 01. ")
	switch len(free) {
	case 0:
	case len(of) - 1:
		b.WriteString("The sections do not need each other. ")
	default:
		fmt.Fprintf(&b, "No later section of this lecture needs section %s. ", strings.Join(free, " or "))
	}
	fmt.Fprintf(&b, "[How the minutes are counted](%s#cell-id=minutes).", index)
	return &nbformat.Cell{ID: "minutes", Type: "markdown", Source: b.String()}
}

// minutesIndex makes the cell of the index that sums the minutes up and says what they are.
func minutesIndex(t *testing.T, c course, titles map[string]string) *nbformat.Cell {
	var b strings.Builder
	b.WriteString("## Minutes\n\n| lecture | slides | alone | cells |\n| --- | --- | --- | --- |\n")
	var all duration
	for _, file := range lectures(t) {
		if file == index {
			continue
		}
		var sum duration
		for _, k := range c.of(file) {
			sum = sum.add(durationOf(c.sections[k]))
		}
		all = all.add(sum)
		fmt.Fprintf(&b, "| %s [%s](%s#cell-id=minutes) | %v |\n", file[:2], titles[file], file, sum)
	}
	fmt.Fprintf(&b, "| all | %v |\n\n", all)
	fmt.Fprintf(&b, `*Slides* counts what the slides show and the speaker's notes say, at %d words a minute. People usually speak at 125 to 150 (S. E. Lucas, *The Art of Public Speaking*, 8th edition, 2004). *Alone* counts all prose, answers included, at %d words a minute, the average of silent readers of non-fiction (M. Brysbaert, *How many words do we read per minute?*, Journal of Memory and Language 109, 2019). Each letter, number and sign of a formula counts as a word. Code takes a minute for %d lines and a figure half a minute; these two are our guesses. A slide folds the code that draws its figure, so only the figure counts there. Only the numbered sections count: not what stands before them (title, aims, imports, helpers), nor what stands after them (summary, exercises, sources), nor the time for questions and experiments.

*Cells* is the time that the kernel needs to build and run them: a second for most, up to 20 for those that read MNIST, on two cores of a server. The download of MNIST is not counted.`, spokenWords, readWords, linesOfCode)
	return &nbformat.Cell{ID: "minutes", Type: "markdown", Metadata: map[string]any{}, Source: b.String()}
}
