package plotting

import (
	"bytes"
	"encoding/gob"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gonum.org/v1/plot/vg"

	"marginalia/internal/display"
)

func TestShowOutsideNotebook(t *testing.T) {
	t.Setenv(display.PipeEnv, "")
	t.Setenv(FiguresEnv, "")
	fig := New("", Line(nil, []float64{1, 2}))
	if err := show("nowhere", fig, nil); err != nil {
		t.Error(err)
	}
	dir := t.TempDir()
	t.Setenv(FiguresEnv, dir)
	if err := show("a-figure.1", fig, nil); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 || files[0].Name() != "a-figure.1.png" {
		t.Fatalf("files %v, %v, want a-figure.1.png alone", files, err)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "a-figure.1.png")); !bytes.Equal(got, fig.PNG(192)) {
		t.Error("the file is not the figure at 192 dpi")
	}
	for name, want := range map[string]string{
		"":        "name",
		"../etc":  "name",
		"a/b":     "name",
		"a b":     "name",
		".hidden": "name",
	} {
		if err := show(name, fig, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("name %q: error %v", name, err)
		}
	}
	if err := show("a", nil, nil); err == nil {
		t.Error("nothing to show, and no error")
	}
	t.Setenv(FiguresEnv, filepath.Join(dir, "missing"))
	if err := show("a", fig, nil); err == nil || !strings.Contains(err.Error(), FiguresEnv) {
		t.Errorf("missing folder: error %v", err)
	}
}

// notebook plays the kernel, and returns what is displayed.
func notebook(t *testing.T) <-chan display.Data {
	dir := t.TempDir()
	pipe, back := filepath.Join(dir, "pipe"), filepath.Join(dir, "back")
	for _, p := range []string{pipe, back} {
		if err := syscall.Mkfifo(p, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := make(chan display.Data, 16)
	go func() {
		r, err := os.Open(pipe)
		if err != nil {
			return
		}
		w, err := os.OpenFile(back, os.O_WRONLY, 0)
		if err != nil {
			return
		}
		dec, enc := gob.NewDecoder(r), gob.NewEncoder(w)
		for {
			var d display.Data
			if dec.Decode(&d) != nil {
				return
			}
			if v, ok := d.Data[display.KeyComm].(display.CommValue); ok {
				enc.Encode(&display.CommValue{Address: display.SyncAckAddress, Value: v.Value})
				continue
			}
			got <- d
		}
	}()
	t.Setenv(display.PipeEnv, pipe)
	t.Setenv(display.BackEnv, back)
	t.Setenv(FiguresEnv, "")
	return got
}

func TestShowInNotebook(t *testing.T) {
	got := notebook(t)
	fig := New("hinge", Line(nil, []float64{1, 2})).Size(5*vg.Inch, 3*vg.Inch)
	if err := show("hinge", fig, nil); err != nil {
		t.Fatal(err)
	}
	d := <-got
	if len(d.Data) != 2 || d.Data["text/plain"] != fig.Alt() {
		t.Errorf("bundle with %d forms, text %q, want the PNG and %q", len(d.Data), d.Data["text/plain"], fig.Alt())
	}
	size, err := png.DecodeConfig(bytes.NewReader(d.Data["image/png"].([]byte)))
	// 5×3 inches at 96 pixels to the inch on screen, twice that in the file.
	meta := d.Metadata["image/png"].(map[string]float64)
	if err != nil || size.Width != 960 || size.Height != 576 || meta["width"] != 480 || meta["height"] != 288 {
		t.Errorf("%d×%d pixels shown at %v, want 960×576 at 480×288 (%v)", size.Width, size.Height, meta, err)
	}
	if err := show("hinge", fig, []string{"a falling line"}); err != nil {
		t.Fatal(err)
	}
	if d := <-got; d.Data["text/plain"] != "a falling line" {
		t.Errorf("text %q, want the alternative given", d.Data["text/plain"])
	} else if d.Metadata["alt"] != "a falling line" {
		t.Errorf("metadata alt %q, want the alternative given", d.Metadata["alt"])
	}
}
