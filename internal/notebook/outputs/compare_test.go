package outputs

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"marginalia/internal/cell/display"
	"marginalia/internal/notebook/mistake"
	"marginalia/internal/notebook/nbformat"
)

func stdout(text string) nbformat.Output {
	return nbformat.Output{Type: "stream", Name: "stdout", Text: text}
}

func stderr(text string) nbformat.Output {
	return nbformat.Output{Type: "stream", Name: "stderr", Text: text}
}

func shows(mime string, content any) nbformat.Output {
	return nbformat.Output{Type: "display_data", Data: map[string]any{mime: content}}
}

func raised(text string) nbformat.Output {
	return nbformat.Output{Type: "error", EName: "ERROR", EValue: text}
}

func said(text string, traceback ...string) nbformat.Output {
	return nbformat.Output{Type: "error", EName: "ERROR", EValue: text, Traceback: traceback}
}

// picture is a grey square in which n pixels are lighter by the given number of levels.
func pictureOf(size, n, lighter int) string {
	img := image.NewGray(image.Rect(0, 0, size, size))
	for i := range img.Pix {
		img.Pix[i] = 100
		if i < n {
			img.Pix[i] += uint8(lighter)
		}
	}
	var b bytes.Buffer
	png.Encode(&b, img)
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func TestCompare(t *testing.T) {
	type outs = []nbformat.Output
	tests := []struct {
		name        string
		stored, got outs
		o           Options
		want        string // part of the only difference, or "" for none
	}{
		{name: "equal", stored: outs{stdout("a\n")}, got: outs{stdout("a\n")}},
		{name: "streams in pieces", stored: outs{stdout("a\nb\n")}, got: outs{stdout("a"), stderr("x"), stdout("\nb\n")}, want: "stderr"},
		{name: "interleaved", stored: outs{stdout("a\nb\n"), stderr("x")}, got: outs{stdout("a\n"), stderr("x"), stdout("b\n")}},
		{name: "a number changed", stored: outs{stdout("w = 3.1\n")}, got: outs{stdout("w = 3.2\n")}, want: "w = 3.2"},
		{name: "a blank more", stored: outs{stdout("a b")}, got: outs{stdout("a  b")}, want: "a  b"},
		{name: "missing", stored: outs{stdout("a")}, want: "stdout"},

		// What JupyterLab 4.6.6 stores of what a program prints.
		{name: "carriage returns", stored: outs{stdout("step 4\n")}, got: outs{stdout("\rstep 0\rstep 1\rstep 2\rstep 3\rstep 4\n")}},
		{name: "carriage returns stored by run", stored: outs{stdout("\rstep 0\rstep 1\n")}, got: outs{stdout("\rstep 0\r"), stdout("step 1\n")}},
		{name: "carriage returns and line feeds", stored: outs{stdout("a\nb\n")}, got: outs{stdout("a\r\nb\r\n")}},
		{name: "backspaces", stored: outs{stderr("aX\n")}, got: outs{stderr("abc\b\bX\n")}},
		{name: "what is not written over", stored: outs{stdout("70%\n")}, got: outs{stdout("50%\r7\n")}},
		{name: "another last step", stored: outs{stdout("step 5\n")}, got: outs{stdout("\rstep 3\rstep 4\n")}, want: "step 4"},
		{name: "the line before stays", stored: outs{stdout("b")}, got: outs{stdout("a\n\rb")}, want: "a"},
		{name: "progress on stderr between lines on stdout", stored: outs{stderr("50%"), stdout("a\n"), stderr("100%"), stdout("b\n")},
			got: outs{stdout("a\n"), stderr("\r50%\r100%"), stdout("b\n")}},
		{name: "progress with a tolerance", stored: outs{stdout("loss 0.50001\n")}, got: outs{stdout("\rloss 3\rloss 0.5000\n")}, o: Options{Tolerance: 1e-3}, want: ""},

		{name: "within tolerance", stored: outs{stdout("w = 3.10000 -2e-5")}, got: outs{stdout("w =  3.10001 -2.00001e-5")}, o: Options{Tolerance: 1e-5}},
		{name: "beyond tolerance", stored: outs{stdout("w = 3.1000")}, got: outs{stdout("w = 3.1001")}, o: Options{Tolerance: 1e-5}, want: "3.1001"},
		{name: "tolerance is for numbers", stored: outs{stdout("w = 3.1")}, got: outs{stdout("v = 3.1")}, o: Options{Tolerance: 1e-5}, want: "v = 3.1"},
		{name: "a number more", stored: outs{stdout("1 2")}, got: outs{stdout("1 2 3")}, o: Options{Tolerance: 0.5}, want: "1 2 3"},
		{name: "NaN is a word", stored: outs{stdout("NaN")}, got: outs{stdout("1")}, o: Options{Tolerance: 0.5}, want: "NaN"},

		{name: "display order", stored: outs{shows("text/html", "1"), shows("text/html", "2")}, got: outs{shows("text/html", "2"), shows("text/html", "2")}, want: "display 1, text/html"},
		{name: "vet's words, which only the kernel writes", stored: outs{stderr("a\n" + mistake.Slip(1, "fmt.Printf call needs 1 arg but has 2 args (go vet)"))}, got: outs{stderr("a\n")}},
		{name: "times of cells", stored: outs{stdout("1\n⏱ 12.4 ms, processor 23.1 ms, 1.21 MB in 345 allocations\n")}, got: outs{stdout("1\n⏱ 9.04 µs, 12 B in 1 allocation\n")}},
		{name: "times of benchmarks", stored: outs{stdout("1⏱ 12.4 ms a run, the median of 80; quartiles 12.2 ms and 12.9 ms; 0 B in 0 allocations\n")}, got: outs{stdout("1⏱ 9.0 ns a run, the median of 3; quartiles 1 ns and 2 ns; 0 B in 0 allocations\n")}},
		{name: "what stands before a time", stored: outs{stdout("1\n⏱ 12.4 ms, processor 23.1 ms, 0 B in 0 allocations\n")}, got: outs{stdout("2\n⏱ 12.4 ms, processor 23.1 ms, 0 B in 0 allocations\n")}, want: "stdout"},
		{name: "a time that is gone", stored: outs{stdout("1\n⏱ 12.4 ms, processor 23.1 ms, 0 B in 0 allocations\n")}, got: outs{stdout("1\n")}, want: "stdout"},
		{name: "a hint that only the kernel writes", stored: outs{stderr(mistake.Unknown(`"%timeit" unknown or not implemented yet.`))}, got: outs{stderr(`"%timeit" unknown or not implemented yet.`)}},
		{name: "our own words beside vet's", stored: outs{stderr("a\n" + mistake.Slip(1, "print writes to the error stream: fmt.Println prints") + mistake.Slip(2, "fmt.Println prints the fields of a *mat.Dense: as the last line of a cell A is a table, and mat.Formatted(A) is its text"))}, got: outs{stderr("a\n")}},
		{name: "what GoNB does, which only the kernel says there", stored: outs{stderr(mistake.Slip(2, "f is declared in line 1 too, and GoNB keeps the last one only; give one of them another name"))}, got: outs{}},
		{name: "a line that the kernel has ended before its words", stored: outs{stderr("a\n" + mistake.Slip(1, "print writes to the error stream: fmt.Println prints"))}, got: outs{stderr("a")}},
		{name: "other words", stored: outs{stderr("→ line 1: a\n")}, want: "stderr"},
		{name: "a display less", stored: outs{shows("text/html", "1")}, want: "display 1"},
		{name: "a type more", stored: outs{shows("text/html", "1")}, got: outs{{Type: "display_data", Data: map[string]any{"text/html": "1", "text/plain": "one"}}}, want: "display 1, text/plain"},
		{name: "json", stored: outs{shows("application/json", map[string]any{"a": json.Number("1")})}, got: outs{shows("application/json", map[string]any{"a": json.Number("2")})}, want: "application/json"},
		{name: "json equal", stored: outs{shows("application/json", map[string]any{"a": json.Number("1")})}, got: outs{shows("application/json", map[string]any{"a": json.Number("1")})}},

		// 100×100 pixels: one in a thousand is ten.
		{name: "a level of two", stored: outs{shows("image/png", pictureOf(100, 0, 0))}, got: outs{shows("image/png", pictureOf(100, 9000, 2))}},
		{name: "ten pixels", stored: outs{shows("image/png", pictureOf(100, 0, 0))}, got: outs{shows("image/png", pictureOf(100, 10, 20))}},
		{name: "eleven pixels", stored: outs{shows("image/png", pictureOf(100, 0, 0))}, got: outs{shows("image/png", pictureOf(100, 11, 20))}, want: "11 of 10000 pixels"},
		{name: "three beside each other", stored: outs{shows("image/png", pictureOf(100, 0, 0))}, got: outs{shows("image/png", pictureOf(100, 3, 100))}, want: "adds up to 300"},
		{name: "another size", stored: outs{shows("image/png", pictureOf(100, 0, 0))}, got: outs{shows("image/png", pictureOf(101, 0, 0))}, want: "(101,101)"},
		{name: "no picture", stored: outs{shows("image/png", pictureOf(100, 0, 0))}, got: outs{shows("image/png", "AAAA")}, want: "can't be decoded"},
		{name: "lines of base64", stored: outs{shows("image/png", pictureOf(100, 0, 0)[:60]+"\n"+pictureOf(100, 0, 0)[60:]+"\n")}, got: outs{shows("image/png", pictureOf(100, 0, 0))}},

		{name: "a panic in few words", stored: outs{stderr("x\n"), said("exit status 2", "\x1b[31mpanic: index out of range [2] with length 2\x1b[0m", "  line 3: v[2]")},
			got: outs{stderr("x\npanic: runtime error: index out of range [2] with length 2\n\ngoroutine 1 [running]:\nmain.main()\n\t/x/main.go:3 +0x1d\nexit status 2\n"), raised("exit status 2")}},
		{name: "another panic in few words", stored: outs{said("exit status 2", "panic: boom")},
			got: outs{stderr("panic: bang\n\ngoroutine 1 [running]:\nexit status 2\n"), raised("exit status 2")}, want: "panic: bang"},
		{name: "an end in few words", stored: outs{said("exit status 3", "the program ended with exit status 3")}, got: outs{stderr("exit status 3\n"), raised("exit status 3")}},
		{name: "the kernel in few words", stored: outs{stderr("panic: boom\n\ngoroutine 1 [running]:\nexit status 2\n"), raised("exit status 2")}, got: outs{said("exit status 2", "panic: boom")}},
		{name: "colours and folders", stored: outs{raised("\x1b[31m/var/folders/x/gonb_0a1b2c3d/main.go:3:1: expected\x1b[0m")}, got: outs{raised("gonb_00000000/main.go:3:1: expected")}},
		{name: "another error", stored: outs{raised("exit status 2")}, got: outs{raised("exit status 3")}, want: "exit status 3"},
		{name: "an error less", stored: outs{raised("exit status 2")}, want: "error"},
		{name: "stacks", stored: outs{stderr("panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\t/x/main.go:3 +0x1d\nexit status 2\n")},
			got: outs{stderr("panic: boom\n\ngoroutine 7 [running]:\nother()\n\ta.ipynb#x:1\n\nmain.main()\nexit status 2\n")}},
		{name: "another panic", stored: outs{stderr("panic: boom\n\ngoroutine 1 [running]:\nexit status 2\n")}, got: outs{stderr("panic: bang\n\ngoroutine 1 [running]:\nexit status 2\n")}, want: "panic: bang"},
		{name: "addresses", stored: outs{stderr("at 0xc000012345\n")}, got: outs{stderr("at 0xc000099999\n")}},
		{name: "addresses on stdout count", stored: outs{stdout("at 0xc000012345\n")}, got: outs{stdout("at 0xc000099999\n")}, want: "stdout"},

		{name: "test times", o: Options{Timings: true}, stored: outs{stdout("--- PASS: TestA (0.01s)\n    main_test.go:9: x\ngoos: linux\nBenchmarkB-2   \t  100\t  20.5 ns/op\n")},
			got: outs{stdout("--- PASS: TestA (0.52s)\n    a.ipynb#t:2: x\nBenchmarkB-8   \t 7\t  31 ns/op\n")}},
		{name: "tests in few words", o: Options{Timings: true}, stored: outs{stdout("=== RUN   TestA\n    main_test.go:9: x = 3\n        y\n--- FAIL: TestA (0.01s)\nFAIL\n")},
			got: outs{stdout("✗ TestA, line 4: x = 3\n        y\n")}},
		{name: "tests in few words, in another cell", o: Options{Timings: true}, stored: outs{stdout("✗ TestA, cell [3], line 4: x = 3\n    line 5: y\n")},
			got: outs{stdout("=== RUN   TestA\n    n.ipynb#helpers:9: x = 3\n    n.ipynb#a:9: y\n--- FAIL: TestA (0.01s)\nFAIL\n")}},
		{name: "other words of a test", o: Options{Timings: true}, stored: outs{stdout("--- FAIL: TestA (0.01s)\n    main_test.go:9: x = 3\n")}, got: outs{stdout("✗ TestA, line 4: x = 4\n")}, want: "x = 4"},
		{name: "test verdicts", o: Options{Timings: true}, stored: outs{stdout("--- PASS: TestA (0.01s)\n")}, got: outs{stdout("--- FAIL: TestA (0.01s)\n")}, want: "✗ TestA"},
		{name: "times count elsewhere", stored: outs{stdout("took (0.01s)\n")}, got: outs{stdout("took (0.02s)\n")}, want: "0.02s"},

		{name: "ignored", stored: outs{stdout("a")}, got: outs{stdout("b")}, o: Options{Ignore: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			diffs := Compare(tt.stored, tt.got, tt.o)
			switch {
			case tt.want == "" && len(diffs) > 0:
				t.Errorf("unexpected: %v", diffs)
			case tt.want != "" && (len(diffs) != 1 || !strings.Contains(diffs[0].String(), tt.want)):
				t.Errorf("got %v, want one difference with %q", diffs, tt.want)
			}
		})
	}
}

func TestOptionsOf(t *testing.T) {
	cell := func(tolerance any, tags ...any) *nbformat.Cell {
		return &nbformat.Cell{ID: "c", Type: "code", Metadata: map[string]any{"tags": tags, "marginalia": map[string]any{"tolerance": tolerance}}}
	}
	if o, err := OptionsOf(cell(json.Number("1e-9"), "nbval-ignore-output")); err != nil || o != (Options{Tolerance: 1e-9, Ignore: true}) {
		t.Errorf("got %+v, %v", o, err)
	}
	for _, bad := range []any{json.Number("0"), json.Number("1"), json.Number("-1"), "1e-9", true, json.Number("NaN")} {
		if _, err := OptionsOf(cell(bad)); err == nil || !strings.Contains(err.Error(), "cell c: metadata.marginalia.tolerance") {
			t.Errorf("tolerance %v: got %v", bad, err)
		}
	}
	if _, err := OptionsOf(cell("1e-9")); err == nil || !strings.HasSuffix(err.Error(), `is the text "1e-9", want a number: leave the quotes out`) {
		t.Errorf("a tolerance in quotes: %v", err)
	}
	test := &nbformat.Cell{ID: "c", Type: "code", Source: "//gonb:%test\nfunc TestA(t *testing.T) {}"}
	if o, err := OptionsOf(test); err != nil || !o.Timings {
		t.Errorf("a %%test cell: %+v, %v", o, err)
	}
}

func TestDifferenceShowsTheLinesThatDiffer(t *testing.T) {
	lines := func(from, to int) string {
		var b strings.Builder
		for i := from; i <= to; i++ {
			fmt.Fprintf(&b, "line %d\n", i)
		}
		return b.String()
	}
	for _, tt := range []struct{ name, stored, got, want string }{
		{"one line", "0.97", "0.96", "stdout:\n  - 0.97\n  + 0.96"},
		{"a line among others", "a\nb\nc\nd\n", "a\nB\nc\nd\n",
			"stdout:\n  from line 1:\n    a\n  - b\n  + B\n    c\n    d"},
		{"a line is missing", "a\nb\nc\n", "a\nc\n", "stdout:\n  from line 1:\n    a\n  - b\n    c"},
		{"nothing was stored", "", "a\nb\n", "stdout:\n  from line 1:\n  + a\n  + b"},
		{"the last line does not end", "a\nb\n", "a\nb", "stdout:\n  from line 1:\n    a\n  - b\n  + b\n  \\  No newline at end of file"},
		{"far apart", "x\n" + lines(2, 99) + "x\n", "y\n" + lines(2, 99) + "y\n",
			"stdout:\n  from line 1:\n  - x\n  + y\n    line 2\n    line 3\n    line 4\n" +
				"  from line 97:\n    line 97\n    line 98\n    line 99\n  - x\n  + y"},
		{"all of a hundred lines", lines(1, 100), lines(101, 200),
			"stdout:\n  from line 1:\n" + strings.TrimSuffix(strings.ReplaceAll("\n"+lines(1, 20), "\nline", "\n  - line")[1:], "  - ") + "  - … and 80 more lines\n" +
				strings.TrimSuffix(strings.ReplaceAll("\n"+lines(101, 120), "\nline", "\n  + line")[1:], "  + ") + "  + … and 80 more lines"},
		{"a long line", strings.Repeat("a", 500) + "\n", "b\n", "stdout:\n  from line 1:\n  - " + strings.Repeat("a", 400) + "…\n  + b"},
	} {
		d := Difference{What: "stdout", Want: tt.stored, Got: tt.got}
		if got := d.String(); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
	// Every other line of a thousand: no more is shown than a terminal holds.
	many := Difference{What: "stdout", Want: lines(1, 1000), Got: strings.ReplaceAll(lines(1, 1000), "5\n", "five\n")}
	if n := strings.Count(many.String(), "\n"); n > 110 || !strings.HasSuffix(many.String(), "\n  …") {
		t.Errorf("%d lines, ending in %q", n, many.String()[len(many.String())-40:])
	}
}

// Two reports of one race, as two runs of `go build -race` wrote them: neither the
// order of the goroutines nor how often it is seen is the same twice.
func TestRaceReportsCompare(t *testing.T) {
	report := func(first, second string) string {
		return "==================\nWARNING: DATA RACE\n" + first + " at 0x00c0000140a8 by goroutine 8:\n  main.main.func1()\n      [[ Cell [2] Line 4 ]] /tmp/gonb_0a1b2c3d/main.go:14 +0x44\n\nPrevious " +
			second + " at 0x00c0000140a8 by main goroutine:\n  main.main()\n      /tmp/gonb_0a1b2c3d/main.go:17 +0xbe\n==================\n"
	}
	a := report("Write", "read") + "Found 1 data race(s)\nexit status 66\n"
	b := report("Read", "write") + report("Write", "write") + "Found 2 data race(s)\nexit status 66\n"
	if Stable(a) != Stable(b) || Stable(a) != "WARNING: DATA RACE\nFound … data race(s)\nexit status 66\n" {
		t.Errorf("they are\n%s\nand\n%s", Stable(a), Stable(b))
	}
}

// A report shows the pictures of a display that only one side has, and of documents.
func TestDifferencesHavePictures(t *testing.T) {
	const svg, other = `<svg width="1"/>`, `<svg width="2"/>`
	white := pictureOf(4, 0, 0)
	file, _ := base64.StdEncoding.DecodeString(white)
	for _, tt := range []struct {
		name        string
		stored, got []nbformat.Output
		old, new    string
	}{
		{"no longer there", []nbformat.Output{shows("image/png", white)}, nil, string(file), ""},
		{"new", nil, []nbformat.Output{shows(display.FigureType, display.Pack([]byte(svg)))}, "", svg},
		{"documents", []nbformat.Output{shows("image/svg+xml", svg)}, []nbformat.Output{shows("image/svg+xml", other)}, svg, other},
		{"another type", []nbformat.Output{shows("text/plain", "a")}, []nbformat.Output{shows("text/plain", "b")}, "", ""},
		{"no picture in the file", []nbformat.Output{shows("image/png", "AAAA")}, nil, "", ""},
	} {
		diffs := Compare(tt.stored, tt.got, Options{})
		if len(diffs) != 1 || string(diffs[0].Old) != tt.old || string(diffs[0].New) != tt.new {
			t.Errorf("%s: %d differences, %.200q", tt.name, len(diffs), diffs)
		}
	}
}
