// Package outputs compares what a cell has shown with what its notebook stores.
//
//	how, err := outputs.OptionsOf(cell)
//	for _, d := range outputs.Compare(cell.Outputs, shown, how) {
//		fmt.Println(d)
//	}
package outputs

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/cell/display"
	"marginalia/internal/notebook/checks"
	"marginalia/internal/notebook/excerpt"
	"marginalia/internal/notebook/mistake"
	"marginalia/internal/notebook/nbformat"
)

// A Difference is one way in which the outputs of a run are not those stored.
type Difference struct {
	What      string // "stdout", "display 2, image/png", …
	Want, Got string // text, or what is to be said of a display that the other lacks
	Note      string // of two pictures: how far apart they are

	Old, New []byte // files of the pictures, PNG, JPEG, GIF or SVG; nil if there is none
}

// Compare tells how the outputs got differ from those stored. What counts is
// all that went to stdout, all that went to stderr, the displays in their
// order and the errors: in which pieces streams arrive, and how they lie
// between one another, differs from run to run. Nothing is returned if all is
// equal.
//
// Of streams counts what JupyterLab shows and stores: \r and \b are carried out
// (nbformat.Shown). Text is compared exactly, or with a relative tolerance of numbers; pictures
// by their pixels; errors and stderr without what never is the same twice
// (see Stable).
func Compare(stored, got []nbformat.Output, o Options) []Difference {
	if o.Ignore {
		return nil
	}
	want, have := collect(stored), collect(got)
	var diffs []Difference
	text := func(what, w, g string) {
		if o.Timings {
			w, g = timings.in(checks.Reword(w, inCell)), timings.in(checks.Reword(g, inCell))
		}
		if !equalText(w, g, o.Tolerance) {
			diffs = append(diffs, Difference{What: what, Want: w, Got: g})
		}
	}
	want.stdout, have.stdout = printed(want.pieces["stdout"], have.pieces["stdout"])
	want.stderr, have.stderr = printed(want.pieces["stderr"], have.pieces["stderr"])
	text("stdout", measured.ReplaceAllString(want.stdout, "⏱ …"), measured.ReplaceAllString(have.stdout, "⏱ …"))
	switch w, h := mistake.Crash(want.stderr), mistake.Crash(have.stderr); {
	case want.errors != nil && w == len(want.stderr):
		// JupyterLab stores the message of a panic in the traceback, not in stderr.
		if words, _, _ := strings.Cut(mistake.Panic(have.stderr), "\n"); words != "" {
			text("panic", want.said, words)
		}
		have.stderr = have.stderr[:h]
	case have.errors != nil && h == len(have.stderr):
		if words, _, _ := strings.Cut(mistake.Panic(want.stderr), "\n"); words != "" {
			text("panic", words, have.said)
		}
		want.stderr = want.stderr[:w]
	}
	text("stderr", mistake.WithoutSlips(Stable(want.stderr)), mistake.WithoutSlips(Stable(have.stderr)))
	for i := range max(len(want.displays), len(have.displays)) {
		what := fmt.Sprintf("display %d", i+1)
		switch {
		case i >= len(have.displays):
			diffs = append(diffs, Difference{What: what, Want: describe(want.displays[i]), Old: pictureIn(want.displays[i])})
		case i >= len(want.displays):
			diffs = append(diffs, Difference{What: what, Got: describe(have.displays[i]), New: pictureIn(have.displays[i])})
		default:
			diffs = append(diffs, compareBundles(what, want.displays[i], have.displays[i], o)...)
		}
	}
	text("error", strings.Join(want.errors, "\n"), strings.Join(have.errors, "\n"))
	return diffs
}

// A collection has the outputs of a cell, sorted by what they are.
type collection struct {
	pieces         map[string][]string // of each stream, what came in a row
	stdout, stderr string              // as they are compared
	displays       []map[string]any
	errors         []string
	said           string // the first line of the traceback
}

func collect(list []nbformat.Output) collection {
	o := collection{pieces: map[string][]string{}}
	for _, out := range nbformat.MergeStreams(list) {
		switch out.Type {
		case "stream":
			name := "stdout"
			if out.Name == "stderr" {
				name = out.Name
			}
			o.pieces[name] = append(o.pieces[name], out.Text)
		case "error":
			// The traceback repeats the value with lines of the program around it.
			o.errors = append(o.errors, out.EName+": "+Stable(withoutPackage(out.EValue)))
			said, _, _ := strings.Cut(strings.Join(out.Traceback, "\n"), "\n")
			o.said = Stable(said)
		default:
			o.displays = append(o.displays, out.Data)
		}
	}
	for name, pieces := range o.pieces { // what was stored before excerpts were is whole
		all := strings.Join(pieces, "")
		if short := excerpt.Of(all); short != all {
			o.pieces[name] = []string{short}
		}
	}
	return o
}

// printed returns the texts to compare of a stream that came in pieces: as JupyterLab shows
// them, and equal if only other outputs lay elsewhere between the pieces.
func printed(want, got []string) (string, string) {
	shown := func(pieces []string) (list []string) {
		for _, piece := range pieces {
			list = append(list, nbformat.Shown(piece))
		}
		return list
	}
	w, all := shown(want), strings.Join(got, "")
	stored := strings.Join(w, "")
	if strings.Join(want, "") == all || strings.ContainsAny(all, "\r\b") && nbformat.ShownAs(all, w) {
		return stored, stored
	}
	return stored, strings.Join(shown(got), "")
}

func compareBundles(what string, want, got map[string]any, o Options) []Difference {
	var diffs []Difference
	keys := maps.Clone(want)
	maps.Copy(keys, got)
	for _, mime := range slices.Sorted(maps.Keys(keys)) {
		w, inWant := want[mime]
		g, inGot := got[mime]
		d := Difference{What: what + ", " + mime}
		ws, wIsText := w.(string)
		gs, gIsText := g.(string)
		switch {
		case !inWant:
			d.Got, d.New = describe(map[string]any{mime: g}), pictureIn(map[string]any{mime: g})
		case !inGot:
			d.Want, d.Old = describe(map[string]any{mime: w}), pictureIn(map[string]any{mime: w})
		case mime == display.SliderType && wIsText && gIsText:
			if compareFrames(ws, gs, &d) {
				continue
			}
		case mime == display.FigureType && wIsText && gIsText:
			if compareFigures(ws, gs, &d) {
				continue
			}
		case strings.HasPrefix(mime, "image/") && mime != "image/svg+xml" && wIsText && gIsText:
			var same bool
			if d.Note, same = comparePictures(ws, gs); same {
				continue
			}
			d.Old, d.New = pictureIn(map[string]any{mime: w}), pictureIn(map[string]any{mime: g})
		default:
			if !wIsText || !gIsText {
				wj, _ := json.Marshal(w)
				gj, _ := json.Marshal(g)
				ws, gs = string(wj), string(gj)
			}
			if equalText(ws, gs, o.Tolerance) {
				continue
			}
			d.Want, d.Got = ws, gs
			d.Old, d.New = pictureIn(map[string]any{mime: w}), pictureIn(map[string]any{mime: g})
		}
		diffs = append(diffs, d)
	}
	return diffs
}

// describe names a bundle by its types and sizes.
func describe(bundle map[string]any) string {
	var parts []string
	for _, mime := range slices.Sorted(maps.Keys(bundle)) {
		if s, ok := bundle[mime].(string); ok {
			parts = append(parts, fmt.Sprintf("%s of %d bytes", mime, len(s)))
		} else {
			parts = append(parts, mime)
		}
	}
	return strings.Join(parts, ", ")
}

var number = regexp.MustCompile(`[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?`)

// equalText compares text exactly, or, given a tolerance, number by number
// and word by word: then the width of blanks may differ too, since a column
// is as wide as its numbers.
func equalText(want, got string, tolerance float64) bool {
	if want == got || tolerance == 0 {
		return want == got
	}
	return sameNumbers(strings.Join(strings.Fields(want), " "), strings.Join(strings.Fields(got), " "), 0, tolerance)
}

// sameNumbers reports whether two texts differ in their numbers alone, and in these by no
// more than a tolerance.
func sameNumbers(want, got string, absolute, relative float64) bool {
	return number.ReplaceAllString(want, "#") == number.ReplaceAllString(got, "#") && near(numbers(want), numbers(got), absolute, relative)
}

func numbers(text string) (list []float64) {
	for _, s := range number.FindAllString(text, -1) {
		v, _ := strconv.ParseFloat(s, 64)
		list = append(list, v)
	}
	return list
}

// near reports whether two lists hold the same numbers within an absolute or a relative
// tolerance.
func near(want, got []float64, absolute, relative float64) bool {
	return slices.EqualFunc(want, got, func(a, b float64) bool {
		return math.Abs(a-b) <= max(absolute, relative*min(math.Abs(a), math.Abs(b)))
	})
}

// replacements are what differs from run to run, and what stands for it.
type replacements []struct {
	pattern *regexp.Regexp
	with    string
}

func (list replacements) in(text string) string {
	for _, r := range list {
		text = r.pattern.ReplaceAllString(text, r.with)
	}
	return text
}

// noPackage matches the go command's words for a package that it cannot find. GoNB runs go get before
// it builds a cell, and a test only builds, so the words differ.
var noPackage = regexp.MustCompile(`^failed to run "[^"\n]*\bgo get\b|\b(?:package \S+ is not in std|provid(?:es|ing) package \S+|does not contain package \S+)|" is (?:relative, but|not a package path)|\bmalformed import path`)

// withoutPackage returns the error of a cell, and the same one for every import that cannot be
// found: the words of go get depend on the network and on the proxy.
func withoutPackage(text string) string {
	if noPackage.MatchString(text) {
		return "an import of this cell cannot be found"
	}
	return text
}

// unstable is what differs in the text of errors.
var unstable = replacements{
	{paint, ""}, // colours
	{regexp.MustCompile(`0x[0-9a-f]+`), "0x…"},                                            // addresses
	{regexp.MustCompile(`(?m)^# \S+( \[\S+\])?$`), "# …"},                                 // the package that did not compile
	{regexp.MustCompile(`(?:[^\s:"]*/)?gonb_[0-9a-f]{8}\b(?:/main(?:_test)?\.go)?`), "…"}, // the kernel's temporary folder
	{regexp.MustCompile(`marginalia/(?:\S*/)?testdata/part\d+/[\w-]+`), "…"},              // the package of a cell that is built by itself
	{regexp.MustCompile(`(?ms)^={18}\nWARNING: DATA RACE\n.*?^={18}\n`), "WARNING: DATA RACE\n"},
	{regexp.MustCompile(`(?:WARNING: DATA RACE\n)+`), "WARNING: DATA RACE\n"}, // as many as the scheduler lets happen
	{regexp.MustCompile(`Found \d+ data race\(s\)`), "Found … data race(s)"},
}

var (
	stackStart = regexp.MustCompile(`^goroutine \d+ (gp=\S+ .*)?\[`)
	exitLine   = regexp.MustCompile(`^(exit status \d+|signal: .*)$`)
)

// InStack reports whether a line of what Go's runtime wrote belongs to the stack of a goroutine;
// before says whether the line before it does.
func InStack(before bool, line string) bool {
	return stackStart.MatchString(line) || before && !exitLine.MatchString(line)
}

// Stable returns text without what differs from run to run: colours, stacks
// of goroutines, reports of races, addresses, the kernel's id and its temporary folder.
func Stable(text string) string {
	var kept []string
	inStack := false
	for _, line := range strings.SplitAfter(unstable.in(text), "\n") {
		bare := strings.TrimSuffix(line, "\n")
		inStack = InStack(inStack, bare)
		if !inStack {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// timings is what differs in the output of a test: how long it took, where in
// the program a log line stands, the machine.
var timings = replacements{
	{regexp.MustCompile(`\(\d+\.\d+s\)`), "(…s)"},
	{regexp.MustCompile(`(?m)^(\s+)\S+:\d+: `), "$1…: "},
	{regexp.MustCompile(`(?m)(^\s+|, )(?:(?:cell \S+|\S+\.go), )?line \d+: `), "$1…: "},
	{regexp.MustCompile(`(?m)^(Benchmark\w+?)(-\d+)?\s+\d+\s.*$`), "$1 …"},
	{regexp.MustCompile(`(?m)^Benchmark\S*\n?$`), ""}, // -test.v announces a benchmark before it runs
	{regexp.MustCompile(`(?m)^(goos|goarch|pkg|cpu): .*\n`), ""},
}

// measured matches what %%time and %%bench print, which is another time in each run.
var measured = regexp.MustCompile(`⏱ [\d.]+ (?:ns|µs|ms|s)(?:, processor| a run, the median|, [\d.]+ \w*B in)[^\n]*`)

// inCell stands for any place, where two outputs are compared.
func inCell(_, line string) string { return "line " + line }
