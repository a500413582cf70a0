package figures

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/notebook/nbformat"
	"marginalia/internal/notebook/nbformat/nbtest"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/testfile"
)

// show is a cell that shows figures of the names, as lines through the numbers.
func show(id string, names ...string) *nbformat.Cell {
	source := "%%\n"
	for _, name := range names {
		source += `plotting.Show("` + name + `", plotting.New("", plotting.Line(nil, []float64{1, 3, 2})))` + "\n"
	}
	return &nbformat.Cell{ID: id, Type: "code", Source: source, Metadata: map[string]any{}}
}

// notebook writes a notebook with a heading and the cells into a folder, and returns its
// path. One that has the path and the code of another is not built again.
func notebook(t *testing.T, dir string, cells ...*nbformat.Cell) string {
	t.Helper()
	title := &nbformat.Cell{ID: "title", Type: "markdown", Source: "# On <lines> & such\n", Metadata: map[string]any{}}
	imports := &nbformat.Cell{ID: "imports", Type: "code", Source: `import "marginalia/plotting"`, Metadata: map[string]any{}}
	nb := &nbformat.Notebook{Minor: 5, Cells: append([]*nbformat.Cell{title, imports}, cells...), Metadata: map[string]any{
		"kernelspec": map[string]any{"display_name": "Go (gonb)", "language": "go", "name": "gonb"}}}
	file := filepath.Join(dir, "a.ipynb")
	nbtest.Write(t, nb, file)
	return file
}

func collect(t *testing.T, dir string, o Options, files ...string) *Collection {
	t.Helper()
	root := repotest.Root(t)
	c := must.Get(Collect(t.Context(), root, files, dir, o)).Or(t)
	return c
}

func names(c *Collection) (list []string) {
	for _, f := range c.Figures {
		list = append(list, f.Name)
	}
	return list
}

func files(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries := must.Get(os.ReadDir(dir)).Or(t)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// The tests share a cache and two notebooks, so that two programs are built. What a test changes
// beside the code of a cell is no reason to build again.
func TestFigures(t *testing.T) {
	owncache.Use(t)
	good, faulty := t.TempDir(), t.TempDir()
	t.Run("collect", func(t *testing.T) { testCollect(t, good) })
	t.Run("refused", func(t *testing.T) { testRefused(t, faulty) })
	t.Run("faults", func(t *testing.T) { testFaults(t, good, faulty) })
	t.Run("check", func(t *testing.T) { testCheck(t, good) })
}

// inOrder are the cells of a notebook that runs. A plot of gonum/plot that a cell shows is
// collected as ours are.
func inOrder() (two, one, own *nbformat.Cell) {
	own = &nbformat.Cell{ID: "own", Type: "code", Metadata: map[string]any{}, Source: `import "gonum.org/v1/plot"

%%
p := plot.New()
p.Title.Text = "A plot of one's own"
p.Add(plotting.Line(nil, []float64{1, 3, 2}))
plotting.Show("own", p)
`}
	return show("two", "widest-street", "first"), show("one", "third"), own
}

// notInOrder are the cells of one that does not: a cell fails, and two figures have one name.
func notInOrder() (fails, one, two *nbformat.Cell) {
	fails = show("bad", "lost")
	fails.Source += "panic(\"no such figure\")\n"
	return fails, show("one", "same"), show("two", "same")
}

func testCollect(t *testing.T, at string) {
	two, one, own := inOrder()
	file := notebook(t, at, two, one, own)
	dir := filepath.Join(t.TempDir(), "new")
	c := collect(t, dir, Options{}, file)
	// In the order of the cells, and within a cell as its source names them.
	if got := names(c); !slices.Equal(got, []string{"widest-street", "first", "third", "own"}) {
		t.Errorf("figures %v", got)
	}
	want := []string{"first.pdf", "first.png", "first.svg", "own.pdf", "own.png", "own.svg", "third.pdf", "third.png", "third.svg", "widest-street.pdf", "widest-street.png", "widest-street.svg"}
	if got := files(t, dir); !slices.Equal(got, want) {
		t.Errorf("files %v, want %v", got, want)
	}
	if f := c.Figures[2]; f.Cell != "one" || f.Notebook != "a.ipynb" || f.Lecture != "On <lines> & such" || !strings.HasPrefix(f.Alt, "Figure") {
		t.Errorf("third: %+v", f)
	}
	for name, begin := range map[string]string{"own.png": "\x89PNG", "own.svg": "<svg ", "own.pdf": "%PDF-"} {
		if data := read1(t, dir, name); !strings.HasPrefix(data, begin) {
			t.Errorf("%s begins with %.8q, want %q", name, data, begin)
		}
	}
	must.Do(t, c.WriteIndex())
	page := read1(t, dir, IndexName)
	for _, part := range []string{"On &lt;lines&gt; &amp; such", `href="third.pdf"`, `src="first.svg"`, "<code>one</code>", "4 figures"} {
		if !strings.Contains(page, part) {
			t.Errorf("the index has no %s", part)
		}
	}

	// The same bytes again, from programs that run anew; only what is asked for.
	again := t.TempDir()
	o := Options{Only: []string{"f*", "third", "own"}, Formats: []string{"pdf", "svg"}}
	if got := names(collect(t, again, o, file)); !slices.Equal(got, []string{"first", "third", "own"}) {
		t.Errorf("--only f*,third,own: %v", got)
	}
	for _, name := range []string{"first.pdf", "first.svg", "third.pdf", "third.svg", "own.pdf", "own.svg"} {
		if read1(t, again, name) != read1(t, dir, name) {
			t.Errorf("%s differs from one collection to the next", name)
		}
	}
	wide := t.TempDir()
	collect(t, wide, Options{Formats: []string{"svg"}, Width: 9}, file)
	if !strings.Contains(read1(t, wide, "first.svg"), `width="648pt"`) { // 9 inches of 72 points
		t.Errorf("--width 9: %.80s", read1(t, wide, "first.svg"))
	}

	// Without what a cell needs, its figures are left out.
	two.Metadata["marginalia"] = map[string]any{"needs": []any{"mnist"}}
	c = collect(t, t.TempDir(), Options{Formats: []string{"svg"}, Lacks: func(string) string { return "it is not here" }}, notebook(t, at, two, one, own))
	if got := names(c); !slices.Equal(got, []string{"third", "own"}) || !slices.Equal(c.Left, []string{"a.ipynb#two: needs mnist: it is not here"}) {
		t.Errorf("figures %v, left out %v", got, c.Left)
	}
}

func read1(t *testing.T, dir, name string) string {
	t.Helper()
	return testfile.Read(t, filepath.Join(dir, name))
}

func testRefused(t *testing.T, at string) {
	root := repotest.Root(t)
	fails, one, two := notInOrder()
	file := notebook(t, at, fails, one, two)
	for _, tt := range []struct {
		name string
		o    Options
		says string
	}{
		{"a cell that fails", Options{}, "figures: a.ipynb#bad: it failed: panic: no such figure"},
		{"two of one name", Options{}, `figures: a.ipynb#one and a.ipynb#two both show a figure "same": give one of them another name`},
		{"a format", Options{Formats: []string{"eps"}}, `figures: there is no format "eps": want some of svg, png, pdf`},
		{"a width", Options{Width: 0.5}, "figures: width 0.5 inches, want 1 to 40"},
		{"a pattern", Options{Only: []string{"[a"}}, `figures: pattern "[a": syntax error in pattern`},
	} {
		dir := t.TempDir()
		testfile.Write(t, filepath.Join(dir, "mine.txt"), "")
		_, err := Collect(t.Context(), root, []string{file}, dir, tt.o)
		if err == nil || !strings.HasPrefix(err.Error(), tt.says) {
			t.Errorf("%s: error %v, want %s", tt.name, err, tt.says)
		}
		if got := files(t, dir); !slices.Equal(got, []string{"mine.txt"}) {
			t.Errorf("%s: %v are in the folder", tt.name, got)
		}
		// For the others the same build serves, without the cell that fails.
		fails.Metadata["tags"] = []any{"skip-execution"}
		notebook(t, at, fails, one, two)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Collect(ctx, root, []string{file}, t.TempDir(), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// One faulty notebook stops no other. A name that no figure has is a slip: an index of no
// figures in place of the one that was there would be no answer.
func testFaults(t *testing.T, inGood, inFaulty string) {
	two, one, own := inOrder()
	good := notebook(t, inGood, two, one, own)
	bad, same, again := notInOrder()
	fails := notebook(t, inFaulty, bad, same, again)
	broken := filepath.Join(t.TempDir(), "broken.ipynb")
	testfile.Write(t, broken, "{")
	c := collect(t, t.TempDir(), Options{Formats: []string{"svg"}}, fails, broken, good)
	if got := names(c); !slices.Equal(got, []string{"widest-street", "first", "third", "own"}) {
		t.Errorf("figures %q", got)
	}
	if len(c.Failed) != 2 || !strings.Contains(c.Failed[0].Error(), "a.ipynb#bad: it failed: panic: no such figure") || !strings.Contains(c.Failed[1].Error(), "broken.ipynb") {
		t.Errorf("failed: %v", c.Failed)
	}

	// Another cell than the one that has stored such a figure shows it, since its code has changed.
	one.Outputs = []nbformat.Output{{Type: "stream", Name: "stdout", Text: "x"}}
	own.Outputs = []nbformat.Output{{Type: "display_data", Data: map[string]any{"text/plain": ""}, Metadata: map[string]any{nameKey: "third"}}}
	if got := names(collect(t, t.TempDir(), Options{Only: []string{"thi*"}}, notebook(t, inGood, two, one, own))); !slices.Equal(got, []string{"third"}) {
		t.Errorf("of a notebook whose outputs are old: %q", got)
	}

	root := repotest.Root(t)
	dir := t.TempDir()
	for only, want := range map[string]string{
		"widest-stret":       `there is no figure "widest-stret": did you mean widest-street?`,
		"First,widest-*":     `there is no figure "First": did you mean first?`,
		"quite,nothing*like": "there is no figure \"quite\": there are first, widest-street, third, own\nfigures: there is no figure \"nothing*like\": there are first, widest-street, third, own",
	} {
		_, err := Collect(t.Context(), root, []string{good}, dir, Options{Only: strings.Split(only, ",")})
		if err == nil || err.Error() != "figures: "+want {
			t.Errorf("--only %s: %v, want %q", only, err, want)
		}
	}
	if left := files(t, dir); len(left) > 0 {
		t.Errorf("it has written %q", left)
	}
}

func testCheck(t *testing.T, at string) {
	two, one, own := inOrder()
	o := Options{Formats: []string{"svg", "png"}}
	dir := t.TempDir()
	c := collect(t, dir, o, notebook(t, at, two, one, own))
	sums := filepath.Join(t.TempDir(), "figures.sum")
	check := func(c *Collection, all bool) string {
		t.Helper()
		changes, err := c.Check(sums, all)
		if err != nil {
			return err.Error()
		}
		var list []string
		for _, ch := range changes {
			list = append(list, ch.Name+": "+ch.Why)
		}
		return strings.Join(list, "\n")
	}
	if got := check(c, true); !strings.Contains(got, "there is no "+sums) {
		t.Errorf("without sums: %s", got)
	}
	must.Do(t, c.WriteSums(sums))
	recorded := read1(t, filepath.Dir(sums), "figures.sum")
	if got := check(c, true); got != "" {
		t.Errorf("as recorded: %s", got)
	}
	change := func(text string) {
		t.Helper()
		testfile.Write(t, sums, text)
	}
	lines := strings.SplitAfter(recorded, "\n") // two lines of head, then the figures in the order of the cells
	head, others := lines[0]+lines[1], strings.Join(lines[3:], "")
	change(head + others)
	if got, want := check(c, true), "widest-street: it is new: no sum is recorded"; got != want {
		t.Errorf("a new figure: %q, want %q", got, want)
	}
	change(recorded + strings.Repeat("0", 64) + "  gone\n")
	if got, want := check(c, true), "gone: it is recorded, and no cell shows it"; got != want {
		t.Errorf("a figure that is gone: %q, want %q", got, want)
	}
	if got := check(c, false); got != "" {
		t.Errorf("of some notebooks only: %q", got)
	}
	change("hello\n")
	if got := check(c, true); !strings.Contains(got, `figures.sum:1: "hello"`) {
		t.Errorf("a damaged file: %q", got)
	}

	// Another sum: the pixels in the notebook decide, and if there are none, it is a change.
	zero := strings.Repeat("0", 64) + "  widest-street\n"
	elsewhere := lines[0] + "# Drawn on: abacus, go1.26, off\n"
	change(elsewhere + zero + others)
	if got, want := check(c, true), "widest-street: its sum differs, and the notebook holds no picture of it"; got != want {
		t.Errorf("another sum: %q, want %q", got, want)
	}
	store := func(name string) {
		two.Outputs = []nbformat.Output{{Type: "display_data", Metadata: map[string]any{"figure": "widest-street"}, Data: map[string]any{
			"image/png": base64.StdEncoding.EncodeToString([]byte(read1(t, dir, name)))}}}
		c = collect(t, dir, o, notebook(t, at, two, one, own))
	}
	store("widest-street.png")
	if got := check(c, true); got != "" {
		t.Errorf("another sum, the same pixels, recorded elsewhere: %q", got)
	}
	change(head + zero + others)
	if got := check(c, true); !strings.HasPrefix(got, "widest-street: its sum differs, and it was recorded on a machine of this kind") {
		t.Errorf("another sum, the same pixels, recorded on this machine: %q", got)
	}
	change(elsewhere + zero + others)
	wide := t.TempDir()
	collect(t, wide, Options{Only: []string{"widest-street"}, Formats: []string{"png"}, Width: 3}, notebook(t, at, two, one, own))
	must.Do(t, os.Rename(filepath.Join(wide, "widest-street.png"), filepath.Join(dir, "small.png")))
	store("small.png")
	if got := check(c, true); !strings.HasPrefix(got, "widest-street: (576,") { // 3 inches at 192 pixels
		t.Errorf("another sum, other pixels: %q", got)
	}
	changes := must.Get(c.Check(sums, true)).Or(t)
	if len(changes) != 1 || changes[0].Cell != "a.ipynb#two" || string(changes[0].Want) != read1(t, dir, "small.png") || string(changes[0].Got) != read1(t, dir, "widest-street.png") {
		t.Errorf("the change has not the two pictures: %.200q", changes)
	}
}

// Numbers are rounded to a hundredth of a point, and everything else counts.
func TestSum(t *testing.T) {
	if sum([]byte("M10.004,-0.001L3,4")) != sum([]byte("M10.0,0.0L3,4")) {
		t.Error("what differs by less than 0.005 has another sum")
	}
	for _, other := range []string{"M10.02,0.0L3,4", "M10.0,0.0L3,5", "m10.0,0.0L3,4"} {
		if sum([]byte("M10.0,0.0L3,4")) == sum([]byte(other)) {
			t.Errorf("%s has the same sum", other)
		}
	}
}

// An image in an SVG counts by its pixels: it is the same however it is compressed.
func TestSumOfImages(t *testing.T) {
	svg := func(grey uint8, level png.CompressionLevel) []byte {
		img := image.NewGray(image.Rect(0, 0, 8, 8))
		img.Pix[9] = grey
		var b bytes.Buffer
		must.Do(t, (&png.Encoder{CompressionLevel: level}).Encode(&b, img))
		return []byte(`<image x="5" xlink:href="data:image/png;base64,` + base64.StdEncoding.EncodeToString(b.Bytes()) + `"/>`)
	}
	plain, packed := svg(7, png.NoCompression), svg(7, png.BestCompression)
	if bytes.Equal(plain, packed) {
		t.Fatal("both are compressed alike, so this tests nothing")
	}
	if sum(plain) != sum(packed) {
		t.Error("the sum depends on how an image is compressed")
	}
	if sum(plain) == sum(svg(8, png.NoCompression)) {
		t.Error("the sum does not see a pixel that is another by one grey level")
	}
}
