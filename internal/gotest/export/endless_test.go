package export_test

import (
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"marginalia/internal/gotest/celltest"
	"marginalia/internal/kernel/jupyter"
	"marginalia/internal/notebook/excerpt"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/owncache"
	"marginalia/internal/testkit/testfile"
	"marginalia/internal/testkit/tier"
)

// A cell that prints or shows without end is stopped at the size at which the
// kernel's client stops it, and its process with it. Without the bound these
// cells would fill the memory until their time is over.
func TestEndlessOutput(t *testing.T) {
	tier.Long(t)
	if celltest.MaxOutput != jupyter.MaxOutput {
		t.Errorf("a test lets a cell show %d bytes, the kernel's client %d", celltest.MaxOutput, jupyter.MaxOutput)
	}
	owncache.Use(t)
	dir := t.TempDir()
	cell := func(id, loop string) string {
		return "%%\nos.WriteFile(" + strconv.Quote(filepath.Join(dir, id)) + ", []byte(strconv.Itoa(os.Getpid())), 0o600)\n" +
			"line := strings.Repeat(\"x\", 1<<10)\nfor {\n\t" + loop + "\n}"
	}
	loops := map[string]string{
		"stdout":   "fmt.Println(line)",
		"stderr":   "fmt.Fprintln(os.Stderr, line)",
		"displays": "gonbui.DisplayHtml(strings.Repeat(line, 1<<10))",
	}
	cells := []string{"imports", "import (\n\t\"fmt\"\n\t\"os\"\n\t\"strconv\"\n\t\"strings\"\n\t\"github.com/janpfeifer/gonb/gonbui\"\n)",
		"much", "%%\nfmt.Print(strings.Repeat(\"x\", 31<<20))"}
	for id, loop := range loops {
		cells = append(cells, id, cell(id, loop))
	}
	b := build(t, notebook(t, t.TempDir(), cells...))
	for id := range loops {
		if f := b.Run(t.Context(), id).Failures; len(f) != 1 || f[0] != "it printed and showed more than 32 MiB and was stopped" {
			t.Errorf("%s: %.300q", id, f)
		}
		text := testfile.Read(t, filepath.Join(dir, id))
		pid := must.Get(strconv.Atoi(text)).Or(t)
		if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
			t.Errorf("%s: its process %d is still there: %v", id, pid, err)
		}
	}
	if got, want := stdout(b.Run(t.Context(), "much")), excerpt.Of(strings.Repeat("x", 31<<20)); got != want {
		t.Errorf("31 MiB arrive as %d bytes, want the %d of their excerpt", len(got), len(want))
	}
}
