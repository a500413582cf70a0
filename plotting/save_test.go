package plotting_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/testkit/must"
	"marginalia/plotting"
)

// A saved file has the bytes of the method for its format. A PNG has 192 pixels per inch.
func TestSave(t *testing.T) {
	dir := t.TempDir()
	fig := plotting.New("a line", plotting.Line([]float64{0, 1}, []float64{1, 3}))
	panels := plotting.Tile(2, fig, fig)
	for _, d := range []interface {
		Save(name string) error
		SVG() []byte
		PDF() []byte
		PNG(dpi int) []byte
	}{fig, panels} {
		for name, want := range map[string][]byte{"a.svg": d.SVG(), "b.v2.PDF": d.PDF(), "c.png": d.PNG(192)} {
			name = filepath.Join(dir, name)
			must.Do(t, d.Save(name))
			if got := must.Get(os.ReadFile(name)).Or(t); !bytes.Equal(got, want) {
				t.Errorf("%T: %s has other bytes than the method for its format returns", d, name)
			}
		}
	}
	if left := must.Get(os.ReadDir(dir)).Or(t); len(left) != 3 {
		t.Errorf("the folder holds %v, want three files", left)
	}
}

// A file that is there keeps its permissions, and a link to it stays one.
func TestSaveReplaces(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "a.svg"), filepath.Join(dir, "link.svg")
	must.Do(t, os.WriteFile(file, []byte("old"), 0o640))
	must.Do(t, os.Symlink("a.svg", link))
	fig := plotting.New("a point", plotting.Points([]float64{1}, []float64{2}))
	must.Do(t, fig.Save(link))
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, fig.SVG()) {
		t.Errorf("the file is not replaced, %v", err)
	}
	if target, err := os.Readlink(link); target != "a.svg" {
		t.Errorf("the link points to %q, %v", target, err)
	}
	if info := must.Get(os.Stat(file)).Or(t); info.Mode().Perm() != 0o640 {
		t.Errorf("permissions %v, want those of the old file", info.Mode())
	}
}

func TestSaveErrors(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "folder.svg")
	must.Do(t, os.Mkdir(folder, 0o777))
	fig := plotting.New("a point", plotting.Points([]float64{1}, []float64{2}))
	for name, want := range map[string]string{
		"a.jpg":                                `a.jpg ends in ".jpg", want .svg, .pdf or .png`,
		"svg":                                  `svg ends in "", want .svg, .pdf or .png`,
		"":                                     ` ends in "", want .svg, .pdf or .png`,
		filepath.Join(dir, "nowhere", "a.svg"): "no such file or directory",
		folder:                                 "file exists", // it can't be renamed to a folder
	} {
		err := fig.Save(name)
		if err == nil || !strings.HasPrefix(err.Error(), "plotting: Save: ") || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", name, err, want)
		}
	}
	if left := must.Get(os.ReadDir(dir)).Or(t); len(left) != 1 || left[0].Name() != "folder.svg" {
		t.Errorf("the folder holds %v, want what it held before", left)
	}
}
